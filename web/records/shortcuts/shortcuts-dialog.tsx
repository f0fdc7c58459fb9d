import { useStoredChoice } from '../../lib/stored-choice.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { letterShortcutsSetting } from './shortcut-setting.ts'
import styles from './shortcuts-dialog.module.css'

const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

const shortcutGroups: { title: string; shortcuts: [keys: string[], meaning: string][] }[] = [
  {
    title: 'Anywhere',
    shortcuts: [
      [['/'], 'Search'],
      [['n'], 'New record'],
      [['Esc'], 'Clear the search, leave editing'],
      [[modifierKey, 'Z'], 'Undo the last delete'],
      [['?'], 'This list'],
    ],
  },
  {
    title: 'On a row',
    shortcuts: [
      [['/', '↓'], 'From the search onto the first row'],
      [['↑', '↓'], 'To the row above, below'],
      [['←', '→'], 'To the buttons of the row'],
      [['Home', 'End'], 'To the first, the last row'],
      [['e'], 'Edit'],
      [['c'], 'Copy the password'],
      [['m'], 'Copy the email'],
      [['Delete'], 'Delete'],
    ],
  },
]

/** Lists the shortcuts. Single letters can be turned off. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const [letterShortcuts, setLetterShortcuts] = useStoredChoice(letterShortcutsSetting)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className={styles.groups}>
        {shortcutGroups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={styles.groupTitle}>{title}</h3>
            <dl className={styles.shortcuts}>
              {shortcuts.map(([keys, meaning]) => (
                <div key={meaning} className={styles.shortcut}>
                  <dt>
                    {keys.map((key) => (
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
      <label className={styles.letterShortcuts}>
        <input
          type="checkbox"
          checked={letterShortcuts === 'on'}
          onChange={(event) => setLetterShortcuts(event.target.checked ? 'on' : 'off')}
        />
        Single-letter shortcuts
      </label>
    </Dialog>
  )
}
