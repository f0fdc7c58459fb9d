import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { createCommonPasswordCheck } from './common-passwords.ts'
import type { PasswordTask } from './password-pool.ts'

/**
 * Does the slow work on passwords, one piece at a time. On Linux a priority is a thread's own, and the thread that
 * answers everyone must not wait for this one; elsewhere it would be the whole process's.
 */
if (process.platform === 'linux') setPriority(10)

const isCommon = createCommonPasswordCheck()

parentPort?.on('message', async (task: PasswordTask) => {
  parentPort?.postMessage('hash' in task ? argon2Sync('argon2id', task.hash) : await isCommon(task.isCommon))
})
