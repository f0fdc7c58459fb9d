import type { SyntheticEvent } from 'react'
import { closestRow } from '../../lib/dom.ts'
import { type Rows, rowAt } from '../search/visible-rows.ts'
import { useHistory } from './history.ts'

/** The details of this many rows before and after a row are loaded with it, so that the next one has them at once. */
const nearbyRows = 30

/**
 * Returns an event handler of the table. It sets as the title of the row that the pointer or the focus comes to when and by
 * whom its record was last changed. The title is also the row's description, if it has no other.
 */
export function useRowTitles(rows: Rows) {
  const history = useHistory()
  return async ({ target }: SyntheticEvent) => {
    const row = closestRow(target as Element)
    const index = Number(row?.dataset.row)
    const employee = rowAt(rows, index)?.employee
    if (!history || !row || !employee) return
    const nearby = Array.from({ length: 2 * nearbyRows + 1 }, (_, i) => rowAt(rows, index - nearbyRows + i))
    try {
      const { readLastChange } = await import('./last-changed.tsx')
      row.title = await readLastChange(
        history,
        employee,
        nearby.flatMap((each) => each?.employee ?? []),
      )
    } catch {
      // Without a network the row keeps the title that it has.
    }
  }
}
