import { fieldNames } from '../../../../contract/employees.ts'
import { useStoredChoice } from '../../../lib/stored-state.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { fieldViews } from '../../model/fields.ts'
import {
  commandNames,
  findShortcut,
  pageCommands,
  selectAllShortcut,
} from '../../model/keys/page-commands.ts'
import { letterShortcutsSetting, runShortcuts } from '../../model/keys/shortcut-key.ts'
import styles from './shortcuts-dialog.module.css'

type Shortcut = [keys: readonly string[], meaning: string]

const copyShortcuts = fieldNames.flatMap((field): Shortcut[] => {
  const { copyKey, noun } = fieldViews[field]
  return copyKey ? [[[copyKey], `Copy the ${noun}`]] : []
})

const shortcutGroups: { title: string; shortcuts: Shortcut[] }[] = [
  {
    title: 'Anywhere',
    shortcuts: [
      ...commandNames
        .map((name): Shortcut => [pageCommands[name].keys, pageCommands[name].label])
        .filter(([keys]) => keys.length > 0),
      [findShortcut, 'Search; again: the browser’s search'],
      [['Esc'], 'Clear search, stop editing'],
    ],
  },
  {
    title: 'On a row',
    shortcuts: [
      [['/', '↓'], 'Search to first row'],
      [['↑', '↓'], 'Previous / next row'],
      [['←', '→'], 'Buttons of the row'],
      [['Home', 'End'], 'First / last row'],
      [['Enter', 'e'], 'Edit'],
      [['Space'], 'Show the password'],
      ...copyShortcuts,
      [['h'], 'Hand over'],
      [['Delete'], 'Delete'],
      [['Shift', 'Space'], 'Select the row'],
      [['Shift', '↓'], 'Select several rows'],
      [selectAllShortcut, 'Select all rows'],
    ],
  },
  {
    title: 'While changing passwords',
    shortcuts: [
      [['Enter'], 'Save, copy, next record'],
      [['c'], runShortcuts.C],
      [['s'], runShortcuts.S],
      [['Esc'], runShortcuts.Esc],
    ],
  },
]

/** Lists the shortcuts. Single letters can be turned off. */
export function ShortcutsDialog({ title, onClose }: { title: string; onClose(): void }) {
  const [letterShortcuts, setLetterShortcuts] = useStoredChoice(letterShortcutsSetting)
  return (
    <Dialog title={title} onClose={onClose}>
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
