import type { KeyboardEvent, RefObject } from 'react'
import { noAutofill } from '../../lib/no-autofill.ts'
import { useStoredChoice } from '../../lib/stored-choice.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { letterShortcutsSetting } from '../shortcuts/shortcut-key.ts'
import styles from './search-box.module.css'
import * as words from './words.ts'

interface SearchBoxProps {
  query: string
  input: RefObject<HTMLInputElement | null>
  onFocus(): void
  onChange(query: string): void
  /** Called on ArrowDown and Enter. */
  onMoveToResults(): void
  /** Called on Escape in an empty box. Returns whether there was something to leave it for. */
  onLeave(): boolean
}

/** Filters the table on every keystroke; Escape clears the query. */
export function SearchBox({ query, input, onFocus, onChange, onMoveToResults, onLeave }: SearchBoxProps) {
  const [letterShortcuts] = useStoredChoice(letterShortcutsSetting)

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
        aria-label={words.search}
        {...(letterShortcuts === 'on' && { 'aria-keyshortcuts': '/' })}
        placeholder={words.placeholder}
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
        <IconButton icon="x" className={styles.clearButton} aria-label={words.clear} onClick={clear} />
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
