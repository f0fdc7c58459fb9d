import { Dialog } from '../../ui/dialog.tsx'
import styles from './shortcuts-dialog.module.css'

interface ShortcutsDialogProps {
  letters: boolean
  onLetters(letters: boolean): void
  onClose(): void
}

const control = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

const groups: { title: string; keys: [string[], string][] }[] = [
  {
    title: 'Anywhere',
    keys: [
      [['/'], 'Search'],
      [['n'], 'New record'],
      [['Esc'], 'Clear the search, leave editing'],
      [[control, 'Z'], 'Undo the last delete'],
      [['?'], 'This list'],
    ],
  },
  {
    title: 'On a row',
    keys: [
      [['/', '↓'], 'From the search onto the first row'],
      [['↑', '↓'], 'To the row above, below'],
      [['Home', 'End'], 'To the first, the last row'],
      [['e'], 'Edit'],
      [['c'], 'Copy the password'],
      [['m'], 'Copy the email'],
      [['Delete'], 'Delete'],
    ],
  },
]

/** Lists the keys. Single letters can be switched off. */
export function ShortcutsDialog({ letters, onLetters, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className={styles.groups}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.keys}>
              {keys.map(([combination, meaning]) => (
                <div key={meaning} className={styles.key}>
                  <dt>
                    {combination.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className={styles.switch}>
        <input type="checkbox" checked={letters} onChange={(event) => onLetters(event.target.checked)} />
        Single-letter shortcuts
      </label>
    </Dialog>
  )
}
