import { fieldNames } from '../../../contract/employees.ts'
import { useStoredChoice } from '../../lib/stored-choice.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldViews } from '../fields.tsx'
import { letterShortcutsSetting } from './shortcut-key.ts'
import styles from './shortcuts-dialog.module.css'
import * as words from './words.ts'

const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

type Shortcut = [keys: string[], meaning: string]

const copyShortcuts = fieldNames.flatMap((field): Shortcut[] => {
  const { copyKey, noun } = fieldViews[field]
  return copyKey ? [[[copyKey], words.copy(noun)]] : []
})

const shortcutGroups: { title: string; shortcuts: Shortcut[] }[] = [
  {
    title: words.anywhere,
    shortcuts: [
      [['/'], words.search],
      [['n'], words.newRecord],
      [['Esc'], words.leave],
      [[modifierKey, 'Z'], words.undo],
      [['?'], words.showShortcuts],
    ],
  },
  {
    title: words.onRow,
    shortcuts: [
      [['/', '↓'], words.toFirstRow],
      [['↑', '↓'], words.toNextRow],
      [['←', '→'], words.toRowButtons],
      [['Home', 'End'], words.toLastRow],
      [['e'], words.edit],
      ...copyShortcuts,
      [['Delete'], words.remove],
    ],
  },
]

/** Lists the shortcuts. Single letters can be turned off. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const [letterShortcuts, setLetterShortcuts] = useStoredChoice(letterShortcutsSetting)
  return (
    <Dialog title={words.title} onClose={onClose}>
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
        {words.letterShortcuts}
      </label>
    </Dialog>
  )
}
