import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { noAutofill } from '../../../lib/dom.ts'
import { toSearchable } from '../../../lib/normalize-text.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Name, Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import { commandNames, type PageActions, pageCommands } from '../../model/keys/page-commands.ts'
import { isForComposition } from '../../model/keys/shortcut-key.ts'
import { createSearcher, parseSearchTerms } from '../../model/search/search.ts'
import type { SelectionCommands } from '../../model/selection/use-selection-commands.ts'
import styles from './command-menu.module.css'

/** The number of records that are listed. Who has more of that name types on. */
const maxRecords = 8

interface CommandMenuProps {
  actions: PageActions
  selected: SelectionCommands
  employees: readonly Employee[]
  onShow(id: string): void
  onClose(): void
}

/** Finds commands by their labels and records by name or email, and runs or shows the chosen one. */
export function CommandMenu({ onClose, ...props }: CommandMenuProps) {
  const [query, setQuery] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const listId = useId()
  const options = useOptions(useDeferredValue(query), props)
  const active = options[Math.min(activeIndex, options.length - 1)]
  const label = t(pageCommands.commands.label)

  function choose({ run }: Option) {
    // What it opens replaces this dialog.
    onClose()
    run()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isForComposition(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActiveIndex((Math.max(0, activeIndex) + step + options.length) % options.length)
    else if (event.key === 'Enter' && active && !event.repeat) choose(active)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={label} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        className={styles.input}
        aria-label={label}
        aria-expanded={true}
        aria-controls={listId}
        aria-activedescendant={active && `${listId}-${active.id}`}
        placeholder={t('Command, name or email')}
        data-first
        {...noAutofill}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label={label} className={styles.list}>
        {options.map((option) => (
          <OptionItem
            key={option.id}
            option={option}
            id={`${listId}-${option.id}`}
            isActive={option === active}
            onChoose={() => choose(option)}
          />
        ))}
      </div>
      <p role="status" className={styles.nothing}>
        <Text>{options.length === 0 ? t('Nothing found.') : ''}</Text>
      </p>
    </Dialog>
  )
}

interface Option {
  id: string
  label: string
  /** The name of a record, instead of which the label says that it is one. */
  name?: string
  /** What the command is for, if not for the page. */
  scope?: string
  keys: readonly string[]
  run(): void
}

/** The commands and records that match a query; without one, all commands. Those for the selected records come first. */
function useOptions(
  query: string,
  { actions, selected, employees, onShow }: Omit<CommandMenuProps, 'onClose'>,
): Option[] {
  const [searcher] = useState(createSearcher)
  return useMemo(() => {
    const words = parseSearchTerms(query)
    const indices = words.length === 0 ? [] : searcher.search(employees, words).slice(0, maxRecords)
    const records = indices.flatMap((index) => employees[index] ?? [])
    const matches = ({ label, scope = '' }: Option) => {
      const text = toSearchable(`${label} ${scope}`)
      return words.every((word) => text.includes(word))
    }
    return [
      ...listSelectionCommands(selected).filter(matches),
      ...listPageCommands(actions).filter(matches),
      ...records.map((record) => ({
        id: record.id,
        label: t('Record'),
        name: displayName(record),
        keys: [],
        run: () => onShow(record.id),
      })),
    ]
  }, [query, actions, selected, employees, searcher, onShow])
}

function listSelectionCommands({ count, commands }: SelectionCommands): Option[] {
  if (count === 0) return []
  const scope = t('{count, plural, other {# selected}}', { count })
  return Object.entries(commands).flatMap(([name, { label, run }]) =>
    run ? [{ id: `selected-${name}`, label, scope, keys: [], run }] : [],
  )
}

function listPageCommands(actions: PageActions): Option[] {
  return commandNames.flatMap((name) => {
    const { label, keys } = pageCommands[name]
    const run = actions[name]
    return run && name !== 'commands' ? [{ id: name, label: t(label), keys, run }] : []
  })
}

interface OptionItemProps {
  option: Option
  id: string
  isActive: boolean
  onChoose(): void
}

function OptionItem({ option, id, isActive, onChoose }: OptionItemProps) {
  const { label, name, scope, keys } = option
  const hint = name ? label : scope
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      ref={isActive ? (element) => element?.scrollIntoView({ block: 'nearest' }) : null}
      onClick={onChoose}
    >
      {name ? <Name>{name}</Name> : <span>{label}</span>}
      <span className={styles.hint}>{hint ?? keys.map((key) => <kbd key={key}>{key}</kbd>)}</span>
    </div>
  )
}
