import { Unzip, UnzipInflate } from 'fflate'

/** Why an archive, such as a workbook, cannot be read. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
  readonly reason: 'broken' | 'locked' | 'old' | 'too big' | 'other'

  constructor(reason: ArchiveError['reason'], options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** Unpacked, the parts that are read may have so many bytes. 100,000 rows of three fields have 30 million. */
const maxUnpackedBytes = 128 * 1024 * 1024

/** Recognises ZIP files, such as .xlsx, and the compound files that older and encrypted workbooks are. */
export const isArchive = (file: Uint8Array) =>
  (file[0] === 0x50 && file[1] === 0x4b && file[2] === 3) || isCompoundFile(file)

const sliceBytes = 16 * 1024

/**
 * Unpacks the wanted parts, as text, and stops at `maxUnpackedBytes`. The size that a part declares may be wrong.
 * Calls `onProgress` with the part that is done, from 0 to 1.
 */
export function unpack(
  file: Uint8Array,
  isWanted: (name: string) => boolean,
  onProgress: (progress: number) => void,
): Map<string, string> {
  if (isCompoundFile(file)) throw new ArchiveError(isLocked(file) ? 'locked' : 'old')
  if (!hasDirectory(file)) throw new ArchiveError('broken')
  const files = new Map<string, string>()
  let unpackedBytes = 0
  const unzip = new Unzip((part) => {
    if (!isWanted(part.name)) return
    if ((part.originalSize ?? 0) > maxUnpackedBytes - unpackedBytes) throw new ArchiveError('too big')
    const decoder = new TextDecoder()
    let text = ''
    part.ondata = (error, bytes, isFinal) => {
      if (error) throw error
      unpackedBytes += bytes.length
      if (unpackedBytes > maxUnpackedBytes) throw new ArchiveError('too big')
      text += decoder.decode(bytes, { stream: !isFinal })
      if (isFinal) files.set(part.name, text)
    }
    part.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let start = 0; start < file.length; start += sliceBytes) {
      const end = Math.min(start + sliceBytes, file.length)
      unzip.push(file.subarray(start, end), end === file.length)
      onProgress(end / file.length)
    }
  } catch (cause) {
    throw cause instanceof ArchiveError ? cause : new ArchiveError('broken', { cause })
  }
  return files
}

/** The container of old .xls workbooks, and of workbooks that are encrypted with a password. */
const isCompoundFile = (file: Uint8Array) =>
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, i) => file[i] === byte)

/** Whether the directory of a compound file names an `EncryptedPackage`, in UTF-16 LE. */
const isLocked = (file: Uint8Array) =>
  new TextDecoder('latin1').decode(file).includes([...'EncryptedPackage'].join('\0'))

/** Whether the central directory, the last part of a ZIP file, is there. */
function hasDirectory(file: Uint8Array): boolean {
  const tail = file.subarray(-66_000)
  for (let i = tail.length - 22; i >= 0; i--)
    if (tail[i] === 0x50 && tail[i + 1] === 0x4b && tail[i + 2] === 5 && tail[i + 3] === 6) return true
  return false
}
