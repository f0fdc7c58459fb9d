import { previewInSteps, proposeOptions } from '../../web/records/features/import/preview.ts'
import { parseSource } from '../../web/records/features/import/source/parse-source.ts'
import { finish } from './steps.ts'

/** The records that an import would add, and whether the page says that something may be wrong. */
export async function readList(source: File | string) {
  const parsed = await parseSource(source)
  const options = proposeOptions(parsed)
  const { rows, counts, spacedCounts, doubts, areNamesBroken, problem } = finish(
    previewInSteps(parsed, options, []),
  )
  const isAsked =
    problem !== null ||
    counts.invalid > 0 ||
    counts.skipped > 0 ||
    parsed.isEncodingUnsure ||
    parsed.hasUnclosedQuote ||
    (parsed.doubts ?? []).length + doubts.length > 0 ||
    areNamesBroken ||
    parsed.escapedCellCount > 0 ||
    Object.values(spacedCounts).some((count) => count > 0) ||
    options.isPasswordGuessed ||
    options.isNameGuessed ||
    options.isEmailGuessed
  return { isAsked, added: rows.flatMap((row) => (row.outcome === 'new' ? [row.fields] : [])) }
}
