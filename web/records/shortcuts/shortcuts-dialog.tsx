import { Dialog } from '../../ui/dialog.tsx'
import styles from './shortcuts-dialog.module.css'

interface ShortcutsDialogProps {
  isLetterShortcutsOn: boolean
  onLetterShortcutsChange(isOn: boolean): void
  onClose(): void
}

const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

const shortcutGroups: { title: string; keys: [string[], string][] }[] = [
  {
    title: 'Anywhere',
    keys: [
      [['/'], 'Search'],
      [['n'], 'New record'],
      [['Esc'], 'Clear the search, leave editing'],
      [[modifierKey, 'Z'], 'Undo the last delete'],
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
export function ShortcutsDialog({
  isLetterShortcutsOn,
  onLetterShortcutsChange,
  onClose,
}: ShortcutsDialogProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className={styles.groups}>
        {shortcutGroups.map(({ title, keys }) => (
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
        <input
          type="checkbox"
          checked={isLetterShortcutsOn}
          onChange={(event) => onLetterShortcutsChange(event.target.checked)}
        />
        Single-letter shortcuts
      </label>
    </Dialog>
  )
}
