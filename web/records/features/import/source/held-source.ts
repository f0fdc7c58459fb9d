import { maxBatchBytes } from '../../../../../contract/batches.ts'
import { msg } from '../../../../language/translate.ts'
import type { ImportSource } from '../../../model/view.ts'
import { SourceError } from './sheet.ts'

/** What was read of a source. The file may change, or go away, while its preview is open. */
export type HeldSource = string | HeldFile

export interface HeldFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Reads a source of at most `maxBatchBytes` into memory. Rejects with a `SourceError`. */
export async function holdSource(source: ImportSource | HeldFile): Promise<HeldSource> {
  if (!(source instanceof File)) return source
  if (source.size > maxBatchBytes) throw new SourceError(msg('This file is too big. Split it into several.'))
  const buffer = await source.arrayBuffer().catch((cause) => {
    throw new SourceError(msg('This file can’t be read.'), { cause })
  })
  return { name: source.name, bytes: new Uint8Array(buffer) }
}
