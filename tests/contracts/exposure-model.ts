import { expect, it } from 'vitest'
import type { EmployeeFields } from '../../contract/employees.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { isNightly } from '../support/nightly.ts'
import { named } from '../support/people.ts'
import { createRandom } from '../support/random.ts'
import { seed } from '../support/sample.ts'
import { timeouts } from '../support/timeouts.ts'
import { account, type CreateTestStorage } from './provide-storage.ts'

const size = isNightly ? { records: 10_000, days: 200 } : { records: 300, days: 40 }

interface ModelRecord {
  exists: boolean
  /** The latest known ones; undefined once they are wiped. */
  fields: EmployeeFields | undefined
  /** The day on which it first had each password. Once they are wiped, only the first day counts. */
  passwords: Map<string, number>
  firstDay: number
}

/** Compares what removed accounts know with a model that keeps all passwords that a record has had. */
export function exposureModelTest(createTestStorage: CreateTestStorage, key?: Uint8Array): void {
  const title = `${size.records} records, ${size.days} days of editing, importing, restoring and leaving`
  it(`is as in a model: ${title}, ${key ? 'with' : 'without'} encryption`, {
    timeout: timeouts.longTestMs,
  }, async () => {
    const storage = await (await createTestStorage()).open({ key })
    const team = createTeam(storage, createRandom(seed))
    await team.importRecords(size.records)
    for (let day = 0; day < size.days; day++) {
      await team.work(Math.ceil(size.records / 50))
      await team.leave()
      await team.compare()
    }
  })
}

function createTeam({ employees, accounts, history }: Storage, random: (below: number) => number) {
  const records = new Map<string, ModelRecord>()
  const leavingDays = new Map<string, number>()
  let newcomers = 0
  let day = 0

  const fieldsWith = (password: string) => named(`name ${random(5)}`, { password })
  /** Few texts, so that a change often sets one that is or was there. */
  const anyPassword = () => `password ${random(8)}`

  function save(id: string, fields: EmployeeFields) {
    const { passwords, firstDay, ...record } = records.get(id) as ModelRecord
    const since = passwords.get(fields.password) ?? (record.fields ? day : firstDay)
    passwords.set(fields.password, since)
    records.set(id, { exists: true, fields, passwords, firstDay })
  }

  async function importRecords(count: number) {
    const add = Array.from({ length: count }, (_, i) => ({
      id: `r${records.size + i}`,
      ...fieldsWith(anyPassword()),
    }))
    await employees.writeBatch({ add, update: [], remove: [] })
    for (const { id, ...fields } of add)
      records.set(id, { exists: true, fields, passwords: new Map([[fields.password, day]]), firstDay: day })
  }

  async function edit(id: string) {
    const record = records.get(id) as ModelRecord
    const fields = fieldsWith(anyPassword())
    if (!record.exists) {
      if (random(2) === 0) return restore(id, record)
      await employees.restore(id, fields)
      return save(id, fields)
    }
    const way = random(5)
    const seen = { id, ...(record.fields as EmployeeFields) }
    record.exists = way > 1
    if (way === 0) await employees.remove(id)
    else if (way === 1) await employees.writeBatch({ add: [], update: [], remove: [seen] })
    else if (way === 2) await employees.update(id, fields)
    else if (way === 3) await employees.update(id, fields, seen)
    else await employees.writeBatch({ add: [], update: [{ seen, fields }], remove: [] })
    if (record.exists) save(id, fields)
  }

  async function restore(id: string, record: ModelRecord) {
    const { outcome } = await employees.restoreDeleted(id)
    expect(outcome).toBe(record.fields === undefined ? 'not-found' : 'done')
    record.exists = outcome === 'done'
  }

  return {
    importRecords,

    /** A day of changes, some of them at once; sometimes all removed records are wiped. */
    async work(changes: number) {
      const ids = new Set(Array.from({ length: changes }, () => `r${random(records.size)}`))
      await Promise.all([...ids].map(edit))
      if (random(3) === 0) await importRecords(random(10) + 1)
      if (random(10) > 0) return
      while ((await history.wipeDeleted(Date.now())) > 0);
      for (const record of records.values()) {
        if (record.exists) continue
        record.fields = undefined
        record.passwords.clear()
      }
    },

    /** Somebody comes, and sometimes somebody leaves; the next day begins. */
    async leave() {
      day += 1
      await accounts.add(account(`u${newcomers}`))
      newcomers += 1
      const leaver = `u${random(newcomers)}`
      if (day % 3 > 0 || leavingDays.has(leaver)) return
      await accounts.remove(leaver)
      leavingDays.set(leaver, day)
    },

    async compare() {
      const existing = [...records].filter(([, { exists }]) => exists)
      for (const [uid, leavingDay] of leavingDays) {
        const isKnown = ({ fields, passwords }: ModelRecord) =>
          (passwords.get(fields?.password ?? '') ?? leavingDay) < leavingDay
        const ids = existing.filter(([, record]) => isKnown(record)).map(([id]) => id)
        expect(await history.findExposed(uid)).toEqual({ ids, canSignIn: false })
      }
      const colleague = Array.from({ length: newcomers }, (_, i) => `u${i}`).find(
        (uid) => !leavingDays.has(uid),
      )
      const ids = existing.map(([id]) => id)
      if (colleague) expect(await history.findExposed(colleague)).toEqual({ ids, canSignIn: true })
    },
  }
}
