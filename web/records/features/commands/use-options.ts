import { useMemo, useState } from 'react'
import { type Employee, fieldNames } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { hasTerms } from '../../../lib/texts/has-terms.ts'
import { toSearchable } from '../../../lib/texts/normalize-text.ts'
import type { IconName } from '../../../ui/icon.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useCopyField } from '../../model/copy-field.ts'
import { displayName, fieldViews, readableField, textFieldNames, titleField } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { getColor, getInitials } from '../../model/initials.ts'
import { commandNames, type PageActions, pageCommands } from '../../model/keys/page-commands.ts'
import { createSearcher, parseSearchTerms } from '../../model/search/search.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import { type SelectionActions, useSelectionCommands } from '../../model/selection/use-selection-commands.ts'
import { useView } from '../../model/view.ts'

/** The icons of the commands, by their names. */
const icons: Record<string, IconName | undefined> = {
  search: 'search',
  newRecord: 'plus',
  undo: 'undo-2',
  import: 'upload',
  export: 'download',
  emergency: 'file-up',
  password: 'lock',
  sessions: 'monitor',
  team: 'users',
  activity: 'history',
  deleted: 'trash',
  shortcuts: 'keyboard',
  help: 'circle-help',
  logout: 'log-out',
  changePasswords: 'wand-sparkles',
  handOver: 'send',
  copyEmails: 'at-sign',
  copy: 'copy',
  delete: 'trash',
  clear: 'x',
}

/** The number of records that are listed. Who has more of that name types on. */
const maxRecords = 8

export interface Option {
  id: string
  group: string
  icon?: IconName | undefined
  /** That of a command; what tells the records of a name apart. */
  label: string
  /** The name of a record, of which an arrow lists what can be done with it. */
  name?: string
  /** What stands for the record in the place of an icon. */
  initials?: { text: string; color: number }
  /** What the command is for, if not for the page. */
  scope?: string
  keys: readonly string[]
  run(): void
}

export interface OptionSource {
  actions: PageActions
  selection: Selection
  selectionActions: SelectionActions
  employees: readonly Employee[]
  onShow(id: string): void
  onEdit(employee: Employee): void
}

/**
 * The commands and records that match a query; without one, all commands. Those for the selected records come first. For a
 * record, what can be done with it.
 */
export function useOptions(query: string, recordId: string | null, source: OptionSource): Option[] {
  const { actions, selection, selectionActions, employees, onShow, onEdit } = source
  const [searcher] = useState(createSearcher)
  const selectionCommands = useSelectionCommands(selection, selectionActions)
  const listActs = useRecordActs(onEdit)
  const words = useMemo(() => parseSearchTerms(query), [query])
  const found = useMemo(() => {
    const indices = words.length === 0 ? [] : searcher.search(employees, words).slice(0, maxRecords)
    return indices.flatMap((index) => employees[index] ?? [])
  }, [words, employees, searcher])

  const matches = ({ label, scope = '' }: Option) => hasTerms(words, toSearchable(label, scope))
  if (recordId !== null) {
    const record = employees.find(({ id }) => id === recordId)
    return record ? listActs(record).filter(matches) : []
  }
  return [
    ...listSelectionCommands(selection.records.length, selectionCommands).filter(matches),
    ...listPageCommands(actions).filter(matches),
    ...found.map((record) => ({
      id: record.id,
      group: t('Records'),
      label: textFieldNames.map((field) => readableField(record, field)).join(' · '),
      name: displayName(record),
      initials: { text: getInitials(record[titleField]), color: getColor(record.id) },
      keys: [],
      run: () => onShow(record.id),
    })),
  ]
}

/** Returns what can be done with a record. */
function useRecordActs(onEdit: (record: Employee) => void) {
  const { team } = useHistory()
  const { setDialog } = useView()
  const copyField = useCopyField(useToast())
  return (record: Employee): Option[] => {
    const handOver = () => setDialog({ kind: 'hand-over', records: [record] })
    const acts: Pick<Option, 'id' | 'icon' | 'label' | 'run'>[] = [
      { id: 'edit', icon: 'pencil', label: t('Edit'), run: () => onEdit(record) },
      ...fieldNames
        .filter((field) => fieldViews[field].copyKey)
        .map((field) => ({
          id: `copy-${field}`,
          icon: 'copy' as const,
          label: t('Copy the {field}', { field: t(fieldViews[field].noun) }),
          run: () => void copyField(record, field),
        })),
      ...(team ? [{ id: 'hand-over', icon: 'send' as const, label: t('Hand over'), run: handOver }] : []),
    ]
    return acts.map((act) => ({ ...act, group: displayName(record), keys: [] }))
  }
}

function listSelectionCommands(count: number, commands: ReturnType<typeof useSelectionCommands>): Option[] {
  if (count === 0) return []
  const scope = t('{count, plural, other {# selected}}', { count })
  const group = t('Selected records')
  return Object.entries(commands).flatMap(([name, { label, run }]) =>
    run ? [{ id: `selected-${name}`, group, icon: icons[name], label, scope, keys: [], run }] : [],
  )
}

function listPageCommands(actions: PageActions): Option[] {
  return commandNames.flatMap((name) => {
    const { label, keys } = pageCommands[name]
    const run = actions[name]
    const option = { id: name, group: t('Commands'), icon: icons[name], label: t(label), keys }
    return run && name !== 'commands' ? [{ ...option, run }] : []
  })
}
