import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { noAutofill } from '../../../lib/dom.ts'
import { normalizeText } from '../../../lib/normalize-text.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Name, Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import { commandNames, type PageActions, pageCommands } from '../../model/keys/page-commands.ts'
import { isForComposition } from '../../model/keys/shortcut-key.ts'
import { createSearcher, parseSearchTerms } from '../../model/search/search.ts'
import styles from './command-menu.module.css'

const messages = {
  placeholder: 'Command, name or email',
  record: 'Record',
  found: (count: number) => (count === 0 ? 'Nothing found.' : ''),
}

/** The number of records that are listed. Who has more of that name types on. */
const maxRecords = 8

interface CommandMenuProps {
  actions: PageActions
  employees: readonly Employee[]
  onShow(id: string): void
  onClose(): void
}

/** Finds commands by their labels and records by name or email, and runs or shows the chosen one. */
export function CommandMenu({ actions, employees, onShow, onClose }: CommandMenuProps) {
  const [query, setQuery] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const [searcher] = useState(createSearcher)
  const listId = useId()
  const terms = useDeferredValue(query)
  const options = useMemo(() => {
    const words = parseSearchTerms(terms)
    const matches = (label: string) => words.every((word) => normalizeText(label).includes(word))
    const commands = commandNames
      .filter((name) => name !== 'commands' && actions[name] && matches(pageCommands[name].label))
      .map((name) => ({ ...pageCommands[name], id: name, name: '', run: () => actions[name]?.() }))
    const indices = words.length === 0 ? [] : searcher.search(employees, words).slice(0, maxRecords)
    const records = indices.flatMap((index) => {
      const employee = employees[index]
      const show = (id: string) => () => onShow(id)
      return employee ? [{ id: employee.id, name: displayName(employee), run: show(employee.id) }] : []
    })
    return [...commands, ...records.map((record) => ({ ...record, label: messages.record, keys: [] }))]
  }, [terms, actions, employees, searcher, onShow])
  const active = options[Math.min(activeIndex, options.length - 1)]

  function choose(run: () => void) {
    // What it opens replaces this dialog.
    onClose()
    run()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isForComposition(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActiveIndex((Math.max(0, activeIndex) + step + options.length) % options.length)
    else if (event.key === 'Enter' && active && !event.repeat) choose(active.run)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={pageCommands.commands.label} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        className={styles.input}
        aria-label={pageCommands.commands.label}
        aria-expanded={true}
        aria-controls={listId}
        aria-activedescendant={active && `${listId}-${active.id}`}
        placeholder={messages.placeholder}
        data-first
        {...noAutofill}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label={pageCommands.commands.label} className={styles.list}>
        {options.map(({ id, label, name, keys, run }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus
          <div
            key={id}
            id={`${listId}-${id}`}
            role="option"
            aria-selected={id === active?.id}
            className={styles.option}
            ref={id === active?.id ? (element) => element?.scrollIntoView({ block: 'nearest' }) : null}
            onClick={() => choose(run)}
          >
            {name ? <Name>{name}</Name> : <span>{label}</span>}
            <span className={styles.hint}>
              {name ? label : keys.map((key) => <kbd key={key}>{key}</kbd>)}
            </span>
          </div>
        ))}
      </div>
      <p role="status" className={styles.nothing}>
        <Text>{messages.found(options.length)}</Text>
      </p>
    </Dialog>
  )
}
