import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { translateBrowser } from '../../../language/browser-name.ts'
import { t } from '../../../language/translate.ts'
import { removeMarks } from '../../../lib/isolate.ts'
import { describeKind, describeStranger } from './describe-item.ts'
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

/** Somebody else reads the file: it has no "you". */
const ownEmail = ''

/** The cells of entries, below their header. `names` has the names of the records by their ids. */
export const toActivityRows = (
  entries: readonly ActivityEntry[],
  names: ReadonlyMap<string, string>,
  lookAlikes: LookAlikes,
): string[][] => [
  [t('Time'), t('Who'), t('What happened'), t('Browser')],
  ...entries.map((entry) => {
    const { at, kind, by, record, count, browser, isReported } = entry
    const many = t('{count, plural, one {# record} other {# records}}', { count: count ?? 1 })
    const name = record === undefined ? many : names.get(record)
    const { author, account } = describeLookAlikes(entry, lookAlikes)
    return [
      at,
      toCell(by ?? describeStranger(entry, ownEmail) ?? t('Administrator'), author),
      toCell(
        describeKind(
          entry,
          name ?? (kind === 'delete' ? many : t('a record deleted since')),
          count,
          ownEmail,
        ),
        account,
        isReported === true && t('as the page reported'),
      ),
      browser ? removeMarks(translateBrowser(browser)) : '',
    ]
  }),
]
