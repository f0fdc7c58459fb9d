import { Gunzip } from 'fflate'
import { createTooBigError, maxUnpackedBytes } from './open-zip.ts'

const bytesPerStep = 64 * 1024

/** Unpacks a text that gzip has compressed. Null if its beginning is not the wanted one. Throws if it is damaged, or too big. */
export function unpackGzip(file: Uint8Array, isWanted: (start: string) => boolean): string | null {
  const decoder = new TextDecoder()
  let text = ''
  let byteCount = 0
  let isEnded = false
  const gunzip = new Gunzip((part, isLast) => {
    byteCount += part.length
    if (byteCount > maxUnpackedBytes) throw createTooBigError()
    text += decoder.decode(part, { stream: true })
    isEnded ||= isLast
  })
  for (let i = 0; i < file.length; i += bytesPerStep) {
    const end = i + bytesPerStep
    try {
      gunzip.push(file.subarray(i, end), end >= file.length)
    } catch (error) {
      if (i === 0 && !isWanted(text.slice(0, 4_096))) return null
      throw error
    }
    if (i === 0 && !isWanted(text.slice(0, 4_096))) return null
  }
  if (!isEnded) throw new Error('The end is missing.')
  return text
}
