import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Employee } from '../../../../contract/employees.ts'
import { currentLocale } from '../../../language/translate.ts'
import { actAfter } from '../../../lib/dom.ts'
import { runWhenIdle } from '../../../lib/run-when-idle.ts'
import { createSearcher, parseSearchTerms } from './search.ts'
import type { PasswordIssues } from './search-params.ts'
import { formatSort, readSearchParams, writeSearchParams } from './search-params.ts'
import { type ChangeTimes, sortIndices } from './sort.ts'
import type { Rows } from './visible-rows.ts'

/** Debounce of URL updates. Safari throws after more than 100 history changes in 30 s. */
const urlUpdateDelayMs = 350

export type SearchResult = ReturnType<typeof useSearch>

/**
 * Searches and sorts the employees. `terms` and `rows` are deferred, so they can lag behind `searchParams` while typing. Password
 * issues and times of changes are null while they are not known: then that part of the search is ignored.
 */
export function useSearch(employees: readonly Employee[], passwordIssues: PasswordIssues | null) {
  const [searchParams, setSearchParams] = useUrlSearchParams()
  /** The only records to show; null for all. */
  const [exposedIds, setExposedIds] = useState<ReadonlySet<string> | null>(null)
  const [changeTimes, setChangeTimes] = useState<ChangeTimes | null>(null)
  const order = useDeferredValue(searchParams)
  const { query, issue, sort } = order
  const recordsWithIssue = (issue && passwordIssues?.[issue]) ?? null
  const isDefaultSort = formatSort(sort) === ''
  const terms = useMemo(() => parseSearchTerms(query), [query])
  const [searcher] = useState(createSearcher)
  const rows = useMemo((): Rows => {
    const isSearching = terms.length > 0
    const filters = [recordsWithIssue, exposedIds].filter((ids) => ids !== null)
    if (!isSearching && filters.length === 0 && isDefaultSort) return { employees, indices: null }
    const found = isSearching ? searcher.search(employees, terms) : [...employees.keys()]
    const idAt = (index: number) => employees[index]?.id ?? ''
    const indices = found.filter((index) => filters.every((ids) => ids.has(idAt(index))))
    if (recordsWithIssue && isDefaultSort) {
      const rankOf = (index: number) => recordsWithIssue.get(idAt(index))?.rank ?? 0
      indices.sort((a, b) => rankOf(a) - rankOf(b))
    }
    const languages = [...navigator.languages, currentLocale()]
    return { employees, indices: sortIndices(employees, indices, sort, languages, changeTimes) }
  }, [employees, terms, recordsWithIssue, exposedIds, changeTimes, sort, isDefaultSort, searcher])
  return {
    searchParams,
    setSearchParams,
    showAll: () => setSearchParams({ ...searchParams, query: '', issue: null, leaver: null }),
    exposedIds,
    setExposedIds,
    setChangeTimes,
    /** Builds the search index while the page is idle. Call it when a search is likely. */
    prepareIndex: () => void runWhenIdle(searcher.prepare(employees)),
    /** The parameters that `rows` match; another object after the user has changed them. */
    order,
    /** The normalized terms that `rows` match. */
    terms,
    /** Whether `rows` may lack some of the employees. */
    isFiltered: terms.length > 0 || recordsWithIssue !== null || exposedIds !== null,
    rows,
    /** What is wrong with the passwords of `rows`, if the table is narrowed to an issue. */
    recordsWithIssue,
    /** Whether `rows` are grouped by their passwords, instead of in the order of creation. */
    isGrouped: recordsWithIssue !== null && isDefaultSort && issue !== 'old',
  }
}

/** State that is initialized from the URL, follows its changes, and updates it after a debounce. */
function useUrlSearchParams() {
  const { search: urlSearch, state } = useLocation()
  const { dialog } = state ?? {}
  const navigate = useNavigate()
  const [searchParams, setSearchParams] = useState(() => readSearchParams(urlSearch))
  const lastWrittenSearch = useRef(urlSearch)

  useEffect(() => {
    if (urlSearch !== lastWrittenSearch.current) setSearchParams(readSearchParams(urlSearch))
    lastWrittenSearch.current = urlSearch
  }, [urlSearch])

  useEffect(() => {
    const next = writeSearchParams(urlSearch, searchParams)
    if (next === writeSearchParams(urlSearch, readSearchParams(urlSearch))) return
    return actAfter(urlUpdateDelayMs, () => {
      lastWrittenSearch.current = next
      void navigate({ search: next }, { replace: true, state: dialog ? { dialog } : null })
    })
  }, [urlSearch, searchParams, navigate, dialog])

  return [searchParams, setSearchParams] as const
}
