import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { isEmail } from '../../../../contract/employees.ts'
import { isWithin, listen, stopAll } from '../../../lib/dom.ts'
import type { ImportSource } from '../../model/view.ts'

/**
 * Calls `onSource` for a file dropped on the page, and rows or a file pasted outside of a field, with the number of files that came
 * with it. True while a file is dragged.
 */
export function useFileDrop(onSource: (source: ImportSource, otherFileCount: number) => void): boolean {
  const [isHovering, setIsHovering] = useState(false)
  const handleSource = useEffectEvent(onSource)

  // Before the first paint: until then, the browser would leave the page to open a dropped file.
  useLayoutEffect(() => {
    function onDragOver(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsHovering(true)
    }
    function onDragLeave(event: DragEvent) {
      if (event.relatedTarget === null) setIsHovering(false)
    }
    function onDrop(event: DragEvent) {
      setIsHovering(false)
      const [file, ...others] = event.dataTransfer?.files ?? []
      if (!file) return
      event.preventDefault()
      handleSource(file, others.length)
    }
    function onPaste(event: ClipboardEvent) {
      if (isWithin(event.target, 'input, textarea, [contenteditable]')) return
      // A spreadsheet copies a picture of its cells too, as a file.
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const [file, ...others] = event.clipboardData?.files ?? []
      const source = looksLikeRows(text) ? text : text === '' && file
      if (!source) return
      event.preventDefault()
      handleSource(source, source === file ? others.length : 0)
    }
    return stopAll(
      listen(document, 'dragenter dragover', onDragOver),
      listen(document, 'dragleave', onDragLeave),
      listen(document, 'drop', onDrop),
      listen(document, 'paste', onPaste),
    )
  }, [])

  return isHovering
}

/** How much of a long text is examined, in UTF-16 code units. */
const maxExaminedLength = 100_000

/** Whether the text is a table with an email, or several recipients. Excludes passwords and sentences, which were probably pasted by mistake. */
function looksLikeRows(text: string): boolean {
  const start = text.slice(0, maxExaminedLength).trim()
  if (/<[^<>\s]+@[^<>\s]+>[^<>]*<[^<>\s]+@[^<>\s]+>/.test(start)) return true
  return /[\t\n\r]/.test(start) && start.split(/[\t\n\r,;|"]/).some((cell) => isEmail(cell.trim()))
}
