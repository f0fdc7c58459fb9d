import { createTooBigError, maxUnpackedBytes } from './open-zip.ts'

/**
 * Unpacks a text that gzip has compressed. Null if its beginning is not the wanted one. Rejects if it is too big, or damaged: its
 * checksum tells.
 */
export async function unpackGzip(
  file: Uint8Array<ArrayBuffer>,
  isWanted: (start: string) => boolean,
): Promise<string | null> {
  const reader = new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let byteCount = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const isFirst = byteCount === 0
      byteCount += part.value.length
      if (byteCount > maxUnpackedBytes) throw createTooBigError()
      text += decoder.decode(part.value, { stream: true })
      if (isFirst && !isWanted(text.slice(0, 4_096))) return null
    }
    return text
  } catch (error) {
    if (text === '') return null
    throw error
  } finally {
    await reader.cancel().catch(() => {})
  }
}
