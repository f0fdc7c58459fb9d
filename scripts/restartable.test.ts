import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { keepRunning } from './restartable.ts'

const endsSlowly = `
  process.on('SIGTERM', () => setTimeout(() => process.exit(), 50))
  setInterval(() => {}, 1000)
  console.log('ready')`

it('design, development: changes that come while the server still ends leave one server, not two', async () => {
  const started: ChildProcess[] = []
  const running = () => started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  const most: number[] = []
  const server = keepRunning(() => {
    const child = spawn(process.execPath, ['-e', endsSlowly])
    started.push(child)
    most.push(running().length)
    return child
  })
  await once(started[0]?.stdout as NonNullable<ChildProcess['stdout']>, 'data')
  await Promise.all([server.restart(), server.restart()])
  expect(most).toEqual([1, 1, 1])
  await Promise.all([server.restart(), server.stop()])
  expect(running()).toEqual([])
})
