import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Employee } from '../../contract/employees.ts'
import { matchInSteps } from '../../web/records/features/import/matching/match-rows.ts'
import { parseSource } from '../../web/records/features/import/source/parse-source.ts'
import { finish } from './steps.ts'

/**
 * What the import would do with each row of a file, if the user chooses nothing, or only this; `asked` for a row with a cell that
 * counts as failed, which the preview says.
 */
export async function importInto(
  employees: readonly Employee[],
  path: string,
  { unescapesFormulas }: { unescapesFormulas?: boolean } = {},
): Promise<string[]> {
  const source = await parseSource(new File([readFileSync(path)], basename(path)))
  const { hasHeader, columns } = source.layout
  const unescapes = unescapesFormulas ?? source.workbook === null
  const matched = finish(
    matchInSteps(source.rows.slice(hasHeader ? 1 : 0), columns, employees, { unescapes }),
  )
  const failed = new Set(source.rows.filter((row) => row.failedColumns).map(({ number }) => number))
  return matched.map(({ number, outcome }) => (failed.has(number) ? 'asked' : outcome))
}
