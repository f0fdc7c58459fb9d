import { useEffect, useRef, useState } from 'react'
import type { Source } from './open-source.ts'

/** Hears of files that are dropped anywhere on the page and of rows pasted outside a field; true while a file hovers. */
export function useIncoming(onSource: (source: Source) => void): boolean {
  const [isHovering, setIsHovering] = useState(false)
  const latest = useRef(onSource)
  latest.current = onSource

  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    function hover(event: DragEvent) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsHovering(true)
    }
    function leave(event: DragEvent) {
      if (event.relatedTarget === null) setIsHovering(false)
    }
    function drop(event: DragEvent) {
      setIsHovering(false)
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      latest.current(file)
    }
    function paste(event: ClipboardEvent) {
      if (isField(event.target)) return
      const source = event.clipboardData?.files[0] ?? event.clipboardData?.getData('text/plain') ?? ''
      if (typeof source === 'string' && !looksLikeRows(source)) return
      event.preventDefault()
      latest.current(source)
    }
    document.addEventListener('dragenter', hover, { signal })
    document.addEventListener('dragover', hover, { signal })
    document.addEventListener('dragleave', leave, { signal })
    document.addEventListener('drop', drop, { signal })
    document.addEventListener('paste', paste, { signal })
    return () => stopping.abort()
  }, [])

  return isHovering
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null
}

/** A word or a sentence that was pasted by mistake is no import. */
function looksLikeRows(text: string): boolean {
  return /\S/.test(text) && /[\t\n,;|]/.test(text.trim())
}
