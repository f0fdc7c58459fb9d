import { msg } from '../../../../../language/translate.ts'
import { SourceError } from '../parse-sheet.ts'
import { isZip, openZip, type Zip } from './open-zip.ts'
import { readOds } from './read-ods.ts'
import type { SheetLimits, WorkbookSheet } from './sheets.ts'

/** The part of a 1PUX file with its items. */
const vaultPart = 'export.data'

/** Recognises ZIP files, such as .xlsx, and the compound files that older and encrypted workbooks are. */
export const isArchive = (file: Uint8Array) => isZip(file) || isCompoundFile(file)

const isCompoundFile = (file: Uint8Array) =>
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, i) => file[i] === byte)

const lockedProblem = msg('This workbook is locked with a password. Remove the password and import it again.')

/** Whether the directory of a compound file names an `EncryptedPackage`, in UTF-16 LE. */
const isLocked = (file: Uint8Array) =>
  new TextDecoder('latin1').decode(file).includes([...'EncryptedPackage'].join('\0'))

/**
 * Reads the sheets of a workbook that have rows, or the JSON of a 1PUX file. Numbers and dates that look different on other
 * computers are as in `language`. Throws a `SourceError` for anything else.
 */
export async function readArchive(
  file: Uint8Array,
  maxRows: number,
  onProgress: (progress: number) => void = () => {},
  language = navigator.language,
): Promise<WorkbookSheet[] | string> {
  if (isCompoundFile(file))
    throw new SourceError(
      isLocked(file) ? lockedProblem : msg('This is an old Excel file. Save it as .xlsx and import that.'),
    )
  try {
    const zip = openZip(file)
    const limits = { maxRows, onProgress: (progress: number) => onProgress(0.25 + 0.75 * progress) }
    const content = await readParts(zip, language, limits)
    if (content !== undefined) return content
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

/** Returns undefined for a ZIP file of another kind. */
async function readParts(zip: Zip, language: string, limits: SheetLimits) {
  const vault = zip.paths.has(vaultPart) && zip.read([vaultPart]).get(vaultPart)
  if (typeof vault === 'string') return vault
  const { findWorkbook, readWorkbook } = await import('./read-workbook.ts')
  const workbook = findWorkbook(zip)
  if (workbook !== undefined) return readWorkbook(zip, workbook, language, limits)
  const [contentPart, manifestPart] = ['content.xml', 'meta-inf/manifest.xml']
  if (zip.read([manifestPart]).get(manifestPart)?.includes('encryption-data'))
    throw new SourceError(lockedProblem)
  const content = zip.read([contentPart]).get(contentPart)
  return content === undefined ? undefined : readOds(content, limits)
}
