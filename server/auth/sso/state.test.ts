import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { startMadeUpProvider } from '../../../tests/support/sso/made-up-provider.ts'
import { settingsFor } from '../../../tests/support/sso/real-provider.ts'
import { openFolder } from '../../../tests/support/storage.ts'
import { createSqliteAdmin } from '../../storage/sqlite/admin/admin.ts'
import { createSso } from './sso.ts'

const browser = 'b'.repeat(43)

it('security: a state of single sign-on from before a restore, or of a database with another key, is not accepted', async () => {
  const [folder, otherFolder] = [createFolder(), createFolder()]
  const made = await startMadeUpProvider()
  const settings = settingsFor(made.issuer)
  const start = async (dataDir: string) => {
    const storage = await openFolder(dataDir)
    const { begin, readAnswer } = createSso({ settings, storage })
    return { begin, readAnswer, close: storage.close }
  }
  const ask = async ({ begin }: Awaited<ReturnType<typeof start>>) => {
    const address = new URL(await begin(browser))
    made.nonce = address.searchParams.get('nonce') ?? ''
    return `?code=x&state=${address.searchParams.get('state')}`
  }

  const first = await start(folder)
  const response = await ask(first)
  expect((await first.readAnswer(browser, response)).person.subject).toBe('ada-1')
  const other = await start(otherFolder)
  const refused = { kind: 'invalid', reason: expect.stringContaining('the state is') }
  await expect(other.readAnswer(browser, response)).rejects.toMatchObject(refused)
  await other.close()

  const backup = join(createFolder(), 'backup.sqlite')
  await createSqliteAdmin(folder, undefined).backUp(backup)
  await first.close()
  await createSqliteAdmin(folder, undefined).restore(backup, { acceptUnsigned: false })
  const restored = await start(folder)
  await expect(restored.readAnswer(browser, response)).rejects.toMatchObject(refused)
  expect((await restored.readAnswer(browser, await ask(restored))).person.subject).toBe('ada-1')
  await restored.close()
})
