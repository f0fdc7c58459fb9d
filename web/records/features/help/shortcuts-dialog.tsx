import { Fragment } from 'react'
import { fieldNames } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { useStoredChoice } from '../../../lib/stored-state.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Key } from '../../../ui/key/key.tsx'
import { fieldViews } from '../../model/fields.ts'
import {
  commandNames,
  findShortcut,
  pageCommands,
  selectAllShortcut,
} from '../../model/keys/page-commands.ts'
import { letterShortcutsSetting, runShortcuts } from '../../model/keys/shortcut-key.ts'
import styles from './shortcuts-dialog.module.css'

/** `between`: how the keys are pressed, unless together or for two directions. */
type Shortcut = [keys: readonly string[], meaning: string, between?: string]

const copyShortcuts = () =>
  fieldNames.flatMap((field): Shortcut[] => {
    const { copyKey, noun } = fieldViews[field]
    return copyKey ? [[[copyKey], t('Copy the {field}', { field: t(noun) })]] : []
  })

const listShortcuts = (): { title: string; shortcuts: Shortcut[] }[] => [
  {
    title: t('Anywhere'),
    shortcuts: [
      ...commandNames
        .map((name): Shortcut => [pageCommands[name].keys, t(pageCommands[name].label)])
        .filter(([keys]) => keys.length > 0),
      [findShortcut, t('Search; again: the browser’s search')],
      [['Esc'], t('Clear search, stop editing')],
    ],
  },
  {
    title: t('While changing passwords'),
    shortcuts: [
      [['Enter'], t('Save, copy, next record')],
      [['c'], t(runShortcuts.C)],
      [['s'], t(runShortcuts.S)],
      [['Esc'], t(runShortcuts.Esc)],
    ],
  },
  {
    title: t('On a row'),
    shortcuts: [
      [['/', '↓'], t('Search to first row'), t('then')],
      [['↑', '↓'], t('Previous / next row')],
      [['←', '→'], t('Buttons of the row')],
      [['Home', 'End'], t('First / last row')],
      [['Enter', 'e'], t('Edit'), t('or')],
      [['Space'], t('Show the password')],
      ...copyShortcuts(),
      [['h'], t('Hand over')],
      [['Delete'], t('Delete')],
      [['Shift', 'Space'], t('Select the row')],
      [['Shift', '↓'], t('Select several rows')],
      [selectAllShortcut, t('Select all rows')],
    ],
  },
]

export function ShortcutsDialog({ title, onClose }: { title: string; onClose(): void }) {
  const [letterShortcuts, setLetterShortcuts] = useStoredChoice(letterShortcutsSetting)
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <div className={styles.groups}>
        {listShortcuts().map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={styles.groupTitle}>{title}</h3>
            <dl className={styles.shortcuts}>
              {shortcuts.map(([keys, meaning, between]) => (
                <div key={meaning} className={styles.shortcut}>
                  <dt dir="ltr">
                    {keys.map((key, index) => (
                      <Fragment key={key}>
                        {between && index > 0 && <span className={styles.between}>{between}</span>}
                        <Key>{key}</Key>
                      </Fragment>
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
        {t('Single-letter shortcuts')}
      </label>
    </Dialog>
  )
}
