import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { passwordLength } from '../../contract/accounts.ts'
import type { PasswordTask, PasswordWorkerData } from './password-pool.ts'

// On Linux the priority applies to this thread only; elsewhere it would apply to the whole process.
if (process.platform === 'linux' && (workerData as PasswordWorkerData).hasLowPriority) setPriority(10)

let commonPasswords: Promise<Set<string>> | undefined

/** Whether a password is among the most used and breached ones, ignoring case. */
async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(password.toLowerCase())
}

async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min))
}

parentPort?.on('message', async (task: PasswordTask) => {
  parentPort?.postMessage('hash' in task ? argon2Sync('argon2id', task.hash) : await isCommon(task.isCommon))
})
