import { type UIEvent, useState } from 'react'

/** The height of a row in rem, as in transfer.module.css. */
const rowHeight = 3.5
/** More rows than the list shows at once, and as many beyond each edge. */
const screenful = 16

/** Says which rows of a long list that scrolls by itself are to be rendered, and the room of the others in px. */
export function useListWindow(count: number) {
  const [top, setTop] = useState(0)
  const height = rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const first = Math.max(0, Math.min(top - screenful, count - 3 * screenful))
  const last = Math.min(count, first + 3 * screenful)
  return {
    first,
    last,
    above: first * height,
    below: (count - last) * height,
    onScroll: (event: UIEvent) => setTop(Math.floor(event.currentTarget.scrollTop / height)),
  }
}
