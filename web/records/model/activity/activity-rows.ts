import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { translateBrowser } from '../../../language/browser-name.ts'
import { t } from '../../../language/translate.ts'
import { removeMarks } from '../../../lib/isolate.ts'
import { describeAuthor, describeKind } from './describe-item.ts'
import { describeLookAlikes, type LookAlikes } from './look-alikes.ts'

/** A file has at most so many entries, the latest. */
export const maxExportedEntries = 20_000

/** Reads the latest entries of the log. */
export async function readEntries(service: HistoryService): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = []
  let before: string | undefined
  do {
    const page = await service.listActivity(before === undefined ? {} : { before })
    entries.push(...page.entries)
    before = page.next
  } while (before !== undefined && entries.length < maxExportedEntries)
  return entries
}

const toCell = (...texts: (string | false)[]) => removeMarks(texts.filter(Boolean).join(' · '))

/** The cells of entries, below their header. `names` has the names of the records by their ids. */
export const toActivityRows = (
  entries: readonly ActivityEntry[],
  names: ReadonlyMap<string, string>,
  ownEmail: string,
  lookAlikes: LookAlikes,
): string[][] => [
  [t('Time'), t('Who'), t('What happened'), t('Browser')],
  ...entries.map((entry) => {
    const { at, by, record, count, browser } = entry
    const many = t('{count, plural, one {# record} other {# records}}', { count: count ?? 1 })
    const one = record === undefined ? many : (names.get(record) ?? t('a deleted record'))
    const { author, account } = describeLookAlikes(entry, lookAlikes)
    return [
      at,
      toCell(by ?? describeAuthor(entry, ownEmail), author),
      toCell(describeKind(entry, one, count, ownEmail), account),
      browser ? removeMarks(translateBrowser(browser)) : '',
    ]
  }),
]
