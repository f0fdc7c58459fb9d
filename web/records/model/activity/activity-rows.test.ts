import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { toSpreadsheet } from '../spreadsheet/to-csv.ts'
import { readEntries, toActivityRows } from './activity-rows.ts'

const at = '2026-11-22T12:00:00.000Z'

test('the rows of a file say when who did what, name the records that exist, and are no formulas', () => {
  const entries: ActivityEntry[] = [
    { id: '4', at, kind: 'add', by: 'ada@x.y', record: 'gone' },
    { id: '3', at, kind: 'change', by: 'ada@x.y', record: 'a' },
    { id: '2', at, kind: 'delete', by: 'ada@x.y', record: 'gone' },
    { id: '1', at, kind: 'import', by: 'ada@x.y', count: 2 },
    { id: '0', at, kind: 'sign-in', by: 'ada@x.y', browser: 'Firefox on Linux' },
  ]
  const rows = toActivityRows(entries, new Map([['a', '=1+1']]), new Map())
  expect(rows).toEqual([
    ['Time', 'Who', 'What happened', 'Browser'],
    [at, 'ada@x.y', 'Added a record deleted since', ''],
    [at, 'ada@x.y', 'Changed =1+1', ''],
    [at, 'ada@x.y', 'Deleted 1 record', ''],
    [at, 'ada@x.y', 'Imported 2 records', ''],
    [at, 'ada@x.y', 'Signed in', 'Firefox on Linux'],
  ])
  const [, first] = toSpreadsheet([['Who'], ['=cmd@x.y']]).split('\r\n')
  expect(first).toBe(`"'=cmd@x.y"`)
})

test('the rows of a file, which others read, name everybody, and tell what only a page has reported', () => {
  const entries: ActivityEntry[] = [
    { id: '4', at, kind: 'copy', by: 'ada@x.y', record: 'a', isReported: true },
    { id: '3', at, kind: 'open-hand-over', account: 'ada@x.y', record: 'a' },
    { id: '2', at, kind: 'refuse-sign-in', account: 'ada@x.y', count: 2 },
    { id: '1', at, kind: 'accept-invitation', by: 'bob@x.y', account: 'ada@x.y' },
    { id: '0', at, kind: 'remove-passkey', account: 'ada@x.y' },
    { id: '-1', at, kind: 'connect-sso', by: 'ada@x.y' },
    { id: '-2', at, kind: 'disconnect-sso', account: 'ada@x.y' },
    { id: '-3', at, kind: 'doubt-clock' },
    { id: '-4', at, kind: 'confirm-clock' },
  ]
  const rows = toActivityRows(entries, new Map([['a', 'Alan']]), new Map())
  expect(rows.slice(1).map(([, ...cells]) => cells.slice(0, 2))).toEqual([
    ['ada@x.y', 'Copied a password of Alan · as the page reported'],
    ['link made by ada@x.y', 'The link to the credential of Alan was opened'],
    ['nobody knows who tried', '2 sign-ins to ada@x.y refused'],
    ['bob@x.y', 'Joined, invited by ada@x.y'],
    ['Administrator', 'Removed a passkey of ada@x.y'],
    ['ada@x.y', 'Connected the account to single sign-on'],
    ['Administrator', 'Disconnected ada@x.y from single sign-on'],
    ['noticed by the server', 'The server’s clock may be wrong'],
    ['Administrator', 'Confirmed the server’s clock'],
  ])
})

test('the rows of a file mark emails that look like those of others', () => {
  const entries: ActivityEntry[] = [
    { id: '2', at, kind: 'open-hand-over', account: 'ada@x.y', record: 'a' },
    { id: '1', at, kind: 'remove-account', by: 'ada@x.y', account: 'bob@x.y' },
    { id: '0', at, kind: 'remove-account', by: 'bob@x.y', account: 'ada@x.y' },
  ]
  const rows = toActivityRows(entries, new Map([['a', 'Alan']]), new Map([['ada@x.y', 'аda@x.y']]))
  expect(rows.slice(1).map(([, ...cells]) => cells.slice(0, 2))).toEqual([
    ['link made by ada@x.y · Looks like аda@x.y', 'The link to the credential of Alan was opened'],
    ['ada@x.y · Looks like аda@x.y', 'Removed bob@x.y'],
    ['bob@x.y', 'Removed ada@x.y · Looks like аda@x.y'],
  ])
})

test('all pages are read', async () => {
  const page = (id: number) => ({
    entries: [{ id: `${id}`, at, kind: 'backup' as const }],
    ...(id > 1 && { next: `${id}` }),
  })
  const listActivity: HistoryService['listActivity'] = async ({ before = '4' }) => page(Number(before) - 1)
  expect((await readEntries({ listActivity } as HistoryService)).map(({ id }) => id)).toEqual(['3', '2', '1'])
})
