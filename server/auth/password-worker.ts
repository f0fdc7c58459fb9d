import { type Argon2Parameters, argon2Sync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

export type PasswordTask = { hash: Argon2Parameters } | { isCommon: string }

// On Linux the priority applies to this thread only; elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(10)

let commonPasswords: Set<string> | undefined

function isCommon(password: string): boolean {
  commonPasswords ??= new Set(
    readFileSync(new URL('../../contract/common-passwords.txt', import.meta.url), 'utf8').split(/\r?\n/),
  )
  return commonPasswords.has(password.toLowerCase())
}

parentPort?.on('message', (task: PasswordTask) => {
  parentPort?.postMessage('hash' in task ? argon2Sync('argon2id', task.hash) : isCommon(task.isCommon))
})
