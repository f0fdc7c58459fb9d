import { constants } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { StorageOpenError } from '../storage.ts'
import { connect } from './connect.ts'
import { openDataDir } from './data-dir.ts'
import { changeKey, checkStoredKey } from './rekey.ts'

it('encryption at rest: if the file cannot be rewritten, the error message states that the new key is in use', () => {
  const folder = createFolder()
  const { file, release } = openDataDir(folder)
  const database = connect(file)
  // VACUUM begins with attaching the file that it copies to.
  const deny = (action: number) =>
    action === constants.SQLITE_ATTACH ? constants.SQLITE_DENY : constants.SQLITE_OK
  database.setAuthorizer(deny)
  const key = Buffer.alloc(32, 1)
  const change = () => changeKey(database, undefined, key)
  expect(change).toThrow(StorageOpenError)
  expect(checkStoredKey(database, key)).toBe('match')
  database.setAuthorizer(null)
  expect(changeKey(database, key, key)).toBe(0)
  database.setAuthorizer(deny)
  expect(() => changeKey(database, key, key)).toThrow(
    /is encrypted with the new key, but .*: authorization denied\./,
  )
  database.close()
  release()
})
