import type { AccountStorage, EmployeeStorage, SessionStorage, Storage } from './storage.ts'

export interface IntegrityReport {
  /** Empty where all is sound. */
  problems: string[]
  records: number
  accounts: number
  revision: number
}

type Awaitable<T> = T | Promise<T>

/** What the operator does with a register from beside the server. Each throws an error that is fit for the operator. */
export interface StorageAdmin {
  /** May be used while a server runs. `makes`: also where there is no register yet, which is then an empty one. */
  openAccounts(options?: { createIfMissing?: boolean }): Awaitable<{
    accounts: AccountStorage
    sessions: SessionStorage
    close: () => Awaitable<void>
  }>
  /** The register as it is at one moment, to be read; also while a server runs. */
  openReadOnly(): Promise<ReadOnlyStorage>
  /** The whole register, to be written to. Makes an empty one where there is none. No server may run on an embedded one. */
  open(): Promise<Storage>
  /** Copies the register as it is at one commit into a new file, also while a server runs. */
  backUp(target: string): Awaitable<void>
  /** No server may run. Answers where it has kept what was there before; nothing where nothing was. */
  restore(backup: string): Awaitable<string | undefined>
  /** Looks at the register, or at a backup, and changes nothing. `file` is where it lies. */
  checkIntegrity(backup?: string): Awaitable<IntegrityReport & { file: string }>
  /** No server may run. Answers how many records were sealed anew; without a key they become plain. */
  changeKey(newKey: Uint8Array | undefined): Awaitable<number>
}

export interface ReadOnlyStorage {
  employees: Pick<EmployeeStorage, 'load'>
  accounts: Pick<AccountStorage, 'list'>
  close(): Promise<void>
}
