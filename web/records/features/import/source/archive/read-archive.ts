import { isLockedOds, odsParts, readOds } from './read-ods.ts'
import { readWorkbook, type WorkbookSheet, workbookParts } from './read-workbook.ts'
import { ArchiveError, unpack } from './unpack.ts'

/** The part of a 1PUX file with its items. */
const vaultPart = 'export.data'
const wantedParts = [workbookParts, odsParts, new RegExp(`^${vaultPart}$`)]

/**
 * Reads the sheets of a workbook (.xlsx or .ods) that have rows, or the JSON of a 1PUX file. Calls `onProgress` with the part that
 * is done, from 0 to 1. Throws an `ArchiveError` for anything else.
 */
export function readArchive(
  file: Uint8Array,
  maxRows: number,
  onProgress: (progress: number) => void = () => {},
): WorkbookSheet[] | string {
  const files = unpack(
    file,
    (name) => wantedParts.some((part) => part.test(name)),
    (progress) => onProgress(progress / 4),
  )
  const vault = files.get(vaultPart)
  if (vault !== undefined) return vault
  const reportRows = (progress: number) => onProgress((1 + 3 * progress) / 4)
  try {
    if (files.has('xl/workbook.xml')) return readWorkbook(files, maxRows, reportRows)
    const content = files.get('content.xml')
    if (isLockedOds(files)) throw new ArchiveError('locked')
    if (content !== undefined) return readOds(content, maxRows, reportRows)
  } catch (cause) {
    throw cause instanceof ArchiveError ? cause : new ArchiveError('broken', { cause })
  }
  throw new ArchiveError('other')
}
