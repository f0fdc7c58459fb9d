import { type KeyboardEvent, useRef } from 'react'
import { noAutofill } from '../../lib/dom.ts'
import { useStoredChoice } from '../../lib/stored-state.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { letterShortcutsSetting } from '../shortcuts/shortcut-key.ts'
import { useFocusTarget } from '../view.tsx'
import * as messages from './messages.ts'
import styles from './search-box.module.css'

interface SearchBoxProps {
  query: string
  onFocus(): void
  onChange(query: string): void
  /** Called on ArrowDown and Enter. */
  onMoveToResults(): void
  /** Called on Escape in an empty box. Returns whether there was something to leave it for. */
  onLeave(): boolean
}

/** Filters the table on every keystroke; Escape clears the query. */
export function SearchBox({ query, onFocus, onChange, onMoveToResults, onLeave }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const [letterShortcuts] = useStoredChoice(letterShortcutsSetting)

  useFocusTarget('search', () => {
    input.current?.focus()
    input.current?.select()
  })

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && (query || onLeave())) {
      event.preventDefault()
      event.stopPropagation()
      onChange('')
    }
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault()
      onMoveToResults()
    }
  }

  function clear() {
    onChange('')
    input.current?.focus()
  }

  return (
    <search className={styles.search}>
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={messages.search}
        {...(letterShortcuts === 'on' && { 'aria-keyshortcuts': '/' })}
        placeholder={messages.placeholder}
        spellCheck={false}
        autoCapitalize="none"
        value={query}
        onFocus={onFocus}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        {...noAutofill}
      />
      <Icon name="search" className={styles.searchIcon} />
      {query ? (
        <IconButton icon="x" className={styles.clearButton} aria-label={messages.clear} onClick={clear} />
      ) : (
        letterShortcuts === 'on' && (
          <span className={styles.shortcutHint} aria-hidden="true">
            /
          </span>
        )
      )}
    </search>
  )
}
