import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Employee } from '../../../contract/employees.ts'
import { type Finding, type Keys, keysOf, search, termsOf } from './search.ts'
import { type View, viewOf, withView } from './search-params.ts'
import { asAdded, collatorFor, sameSort, sorted } from './sort.ts'
import { allRows, type Rows } from './visible-rows.ts'

/** Safari refuses more than 100 changes of the address in 30 s, so it follows the typing at this distance, in ms. */
const addressPause = 350

export interface Found {
  view: View
  setView(view: View): void
  /** To be told that a search is about to come: what it needs is made before the first letter. */
  prepare(): void
  /** What is searched for, folded; the rows are those that hold it. */
  terms: readonly string[]
  rows: Rows
}

/** The rows of the register as it is looked at. They may lag behind what is being typed; typing never waits. */
export function useFound(book: readonly Employee[]): Found {
  const [view, setView] = useViewInAddress()
  const { query, sort } = useDeferredValue(view)
  const terms = useMemo(() => termsOf(query), [query])
  // Both live as long as the page: what the records are searched by, and what was found last.
  const keys = useRef<Keys>(null)
  const finding = useRef<Finding>(null)
  const collator = useMemo(() => collatorFor(navigator.languages), [])
  const rows = useMemo(() => {
    if (terms.length === 0 && sameSort(sort, asAdded)) return allRows(book)
    if (terms.length > 0) {
      keys.current = keysOf(book, keys.current)
      finding.current = search(keys.current.keys, terms, finding.current)
    }
    const places = terms.length > 0 ? (finding.current?.places ?? []) : [...book.keys()]
    return { book, places: sorted(book, places, sort, collator) }
  }, [book, terms, sort, collator])
  const prepare = () => {
    keys.current = keysOf(book, keys.current)
  }
  return { view, setView, prepare, terms, rows }
}

/** The view as it stands in the address, and follows it; what is changed here replaces the address a moment later. */
function useViewInAddress() {
  const { search: address } = useLocation()
  const navigate = useNavigate()
  const [view, setView] = useState(() => viewOf(address))
  const ownAddress = useRef(address)

  useEffect(() => {
    if (address !== ownAddress.current) setView(viewOf(address))
    ownAddress.current = address
  }, [address])

  useEffect(() => {
    const next = withView(address, view)
    if (next === withView(address, viewOf(address))) return
    const timer = setTimeout(() => {
      ownAddress.current = next
      void navigate({ search: next }, { replace: true })
    }, addressPause)
    return () => clearTimeout(timer)
  }, [address, view, navigate])

  return [view, setView] as const
}
