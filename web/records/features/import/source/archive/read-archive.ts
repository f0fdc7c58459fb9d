import { unzipSync } from 'fflate'
import { msg } from '../../../../../language/translate.ts'
import { SourceError } from '../parse-sheet.ts'
import { odsParts, readOds } from './read-ods.ts'
import { readWorkbook, type WorkbookSheet, workbookParts } from './read-workbook.ts'

/** The part of a 1PUX file with its items. */
const vaultPart = 'export.data'

/** The limit on the unpacked bytes of all parts that are read. 100,000 rows of three fields have 30 million. */
const maxUnpackedBytes = 128 * 1024 * 1024

/** Recognises ZIP files, such as .xlsx, and the compound files that older and encrypted workbooks are. */
export const isArchive = (file: Uint8Array) =>
  (file[0] === 0x50 && file[1] === 0x4b && file[2] === 3) || isCompoundFile(file)

const isCompoundFile = (file: Uint8Array) =>
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, i) => file[i] === byte)

const lockedProblem = msg('This workbook is locked with a password. Remove the password and import it again.')

/** Whether the directory of a compound file names an `EncryptedPackage`, in UTF-16 LE. */
const isLocked = (file: Uint8Array) =>
  new TextDecoder('latin1').decode(file).includes([...'EncryptedPackage'].join('\0'))

/** Reads the sheets of a workbook that have rows, or the JSON of a 1PUX file. Throws a `SourceError` for anything else. */
export function readArchive(
  file: Uint8Array,
  maxRows: number,
  onProgress: (progress: number) => void = () => {},
): WorkbookSheet[] | string {
  if (isCompoundFile(file))
    throw new SourceError(
      isLocked(file) ? lockedProblem : msg('This is an old Excel file. Save it as .xlsx and import that.'),
    )
  try {
    const files = unpack(file)
    onProgress(0.25)
    const reportRows = (progress: number) => onProgress(0.25 + 0.75 * progress)
    const vault = files.get(vaultPart)
    if (vault !== undefined) return vault
    if (files.has('xl/workbook.xml')) return readWorkbook(files, maxRows, reportRows)
    if (files.get('META-INF/manifest.xml')?.includes('encryption-data')) throw new SourceError(lockedProblem)
    const content = files.get('content.xml')
    if (content !== undefined) return readOds(content, maxRows, reportRows)
  } catch (cause) {
    throw cause instanceof SourceError
      ? cause
      : new SourceError(msg('This workbook is damaged or incomplete. Save it again, or export it as CSV.'), {
          cause,
        })
  }
  throw new SourceError(
    msg('This is neither a workbook (.xlsx, .ods) nor a 1PUX file. Save the sheet as CSV and import that.'),
  )
}

/** Unpacks the parts that are read, as text, each to the size that it declares at most. */
function unpack(file: Uint8Array): Map<string, string> {
  let bytes = 0
  const files = unzipSync(file, {
    filter({ name, originalSize }) {
      if (name !== vaultPart && !workbookParts.test(name) && !odsParts.test(name)) return false
      bytes += originalSize
      if (bytes > maxUnpackedBytes)
        throw new SourceError(msg('This workbook is too big. Save only the sheet with the list.'))
      return true
    },
  })
  const decoder = new TextDecoder()
  return new Map(Object.entries(files).map(([name, content]) => [name, decoder.decode(content)]))
}
