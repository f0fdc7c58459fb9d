import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Employee } from '../../../contract/employees.ts'
import {
  buildSearchIndex,
  findMatches,
  parseSearchTerms,
  type SearchIndex,
  type SearchMatches,
} from './search.ts'
import { readSearchParams, type SearchParams, writeSearchParams } from './search-params.ts'
import { createCollator, defaultSort, isSameSort, sortIndices } from './sort.ts'
import { allRows, type Rows } from './visible-rows.ts'

/** Safari refuses more than 100 changes of the address in 30 s, so it follows the typing at this distance, in ms. */
const urlUpdateDelayMs = 350

export interface SearchResult {
  searchParams: SearchParams
  setSearchParams(params: SearchParams): void
  /** To be told that a search is about to come: what it needs is made before the first letter. */
  prepareIndex(): void
  /** What is searched for, folded; the rows are those that hold it. */
  terms: readonly string[]
  rows: Rows
}

/** The rows of the register as it is looked at. They may lag behind what is being typed; typing never waits. */
export function useSearch(employees: readonly Employee[]): SearchResult {
  const [searchParams, setSearchParams] = useUrlSearchParams()
  const { query, sort } = useDeferredValue(searchParams)
  const terms = useMemo(() => parseSearchTerms(query), [query])
  // Both live as long as the page: what the records are searched by, and what was found last.
  const indexRef = useRef<SearchIndex>(null)
  const matchesRef = useRef<SearchMatches>(null)
  const collator = useMemo(() => createCollator(navigator.languages), [])
  const rows = useMemo((): Rows => {
    if (terms.length === 0 && isSameSort(sort, defaultSort)) return allRows(employees)
    if (terms.length > 0) {
      indexRef.current = buildSearchIndex(employees, indexRef.current)
      matchesRef.current = findMatches(indexRef.current.texts, terms, matchesRef.current)
    }
    const indices = terms.length > 0 ? (matchesRef.current?.indices ?? []) : [...employees.keys()]
    return { employees, indices: sortIndices(employees, indices, sort, collator) }
  }, [employees, terms, sort, collator])
  const prepareIndex = () => {
    indexRef.current = buildSearchIndex(employees, indexRef.current)
  }
  return { searchParams, setSearchParams, prepareIndex, terms, rows }
}

/** The view as it stands in the address, and follows it; what is changed here replaces the address a moment later. */
function useUrlSearchParams() {
  const { search: urlSearch } = useLocation()
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
    const timer = setTimeout(() => {
      lastWrittenSearch.current = next
      void navigate({ search: next }, { replace: true })
    }, urlUpdateDelayMs)
    return () => clearTimeout(timer)
  }, [urlSearch, searchParams, navigate])

  return [searchParams, setSearchParams] as const
}
