import { type KeyboardEvent, useEffect, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import { noAutofill } from '../../../lib/dom.ts'
import { isForComposition } from '../../../lib/presses/key-press.ts'
import { useStoredChoice } from '../../../lib/stored-state.ts'
import { IconButton } from '../../../ui/button.tsx'
import fieldStyles from '../../../ui/field.module.css'
import { Icon } from '../../../ui/icon.tsx'
import { capitalize, listNouns, visibleFieldNames } from '../../model/fields.ts'
import { letterShortcutsSetting } from '../../model/keys/shortcut-key.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { useFocusTarget } from '../../model/view.ts'
import styles from './search-box.module.css'

interface SearchBoxProps {
  search: SearchResult
  /** Called on ArrowDown and Enter. */
  onMoveToResults(): void
  /** Called on Escape in an empty box. Returns whether there was something to leave it for. */
  onLeave(): boolean
}

/** Scrolls back, when the box is emptied, to where the page was before something was typed. Call it before each change. */
function useReturn({ terms }: SearchResult) {
  const beforePx = useRef<number>(undefined)
  const isReturning = useRef(false)
  useEffect(() => {
    if (terms.length > 0 || !isReturning.current) return
    isReturning.current = false
    scrollTo({ top: beforePx.current ?? 0, behavior: 'instant' })
  }, [terms])
  return (query: string, next: string) => {
    if (!query) beforePx.current = scrollY
    isReturning.current = !next && beforePx.current !== undefined
  }
}

/** The query, and a function that changes it and keeps the place of the page. */
function useQuery(search: SearchResult) {
  const { searchParams, setSearchParams } = search
  const { query } = searchParams
  const keepPlace = useReturn(search)
  function setQuery(next: string) {
    keepPlace(query, next)
    setSearchParams({ ...searchParams, query: next })
  }
  return { query, setQuery }
}

/** Filters the table on every keystroke; Escape clears the query. */
export function SearchBox({ search, onMoveToResults, onLeave }: SearchBoxProps) {
  const { query, setQuery } = useQuery(search)
  const input = useRef<HTMLInputElement>(null)
  const [letterShortcuts] = useStoredChoice(letterShortcutsSetting)

  useFocusTarget('search', () => {
    input.current?.focus()
    input.current?.select()
  })

  function onKeyDown(event: KeyboardEvent) {
    if (isForComposition(event.nativeEvent)) return
    if (event.key === 'Escape' && (query || onLeave())) {
      event.preventDefault()
      event.stopPropagation()
      setQuery('')
    }
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault()
      onMoveToResults()
    }
  }

  function clear() {
    setQuery('')
    input.current?.focus()
  }

  return (
    <search className={styles.search}>
      <input
        ref={input}
        type="search"
        className={`${fieldStyles.input} ${styles.input}`}
        aria-label={t('Search')}
        {...(letterShortcuts === 'on' && { 'aria-keyshortcuts': '/' })}
        placeholder={capitalize(listNouns(visibleFieldNames, 'disjunction'))}
        autoCapitalize="none"
        value={query}
        onFocus={search.prepareIndex}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        {...noAutofill}
      />
      <Icon name="search" className={styles.searchIcon} />
      {query ? (
        <IconButton icon="x" className={styles.clearButton} aria-label={t('Clear search')} onClick={clear} />
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
