import { t } from '../../../language/translate.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { pageCommands } from '../../model/keys/page-commands.ts'
import styles from './help-dialog.module.css'

/** Defined by the build, from package.json. */
declare const __VERSION__: string

const commandKeys = pageCommands.commands.keys.join('+')

const listTopics = () => [
  [
    t('Working together'),
    t(
      'Everyone who is signed in sees and changes the same records, at once. If two change the same field, the second chooses which to keep.',
    ),
  ],
  [
    t('Taking something back'),
    t(
      'Undo takes back your last change or delete, for everybody. Recently deleted, in the account menu, brings back any record.',
    ),
  ],
  [
    t('Without a connection'),
    t('Changes that couldn’t be saved stay on this device and are listed above the table.'),
  ],
  [
    t('Giving somebody their password'),
    t('Hand over, on the row, makes a link that shows it once, without an account.'),
  ],
  [
    t('Weak, reused and old passwords'),
    t('Press one of the counts above the table, then Change: each record gets a new password in turn.'),
  ],
  [
    t('Keyboard'),
    t('Press ? for all shortcuts, and {keys} to find any command or record.', { keys: commandKeys }),
    styles.keyboard,
  ],
  [t('If you’re stuck'), t('For a forgotten password, ask a colleague; for a backup, your administrator.')],
]

export function HelpDialog({ title, onClose }: { title: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      {listTopics().map(([heading, text, className]) => (
        <section key={heading} className={className}>
          <h3 className={styles.heading}>{heading}</h3>
          <p className={styles.text}>{text}</p>
        </section>
      ))}
      <p className={styles.version} translate="no">{`Staffbook ${__VERSION__}`}</p>
    </Dialog>
  )
}
