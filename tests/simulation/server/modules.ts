/** The modules of the server that the simulation runs. */

export { createApp } from '../../../server/app.ts'
export { AppError } from '../../../server/app-error.ts'
export { createFieldEncryption } from '../../../server/storage/encryption/field-encryption.ts'
export { createPasswordKey } from '../../../server/storage/encryption/password-digests.ts'
export { migrate } from '../../../server/storage/sqlite/migrate.ts'
export { createSqliteStorage } from '../../../server/storage/sqlite/open.ts'
