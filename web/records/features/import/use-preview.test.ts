import { expect, test } from 'vitest'
import { runInSlices } from './use-preview.ts'

function* count(max: number, take = () => {}) {
  for (let i = 0; i < max; i++) {
    take()
    yield
  }
  return max
}

function waste(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('short work is done at once', () => {
  const results: number[] = []
  runInSlices(count(3), (result) => results.push(result))
  expect(results).toEqual([3])
})

test('long work lets others run in between, and can be stopped', async () => {
  const events: string[] = []
  const work = () => count(6, () => waste(10))
  const stop = runInSlices(work(), () => events.push('stopped'))
  stop()
  const done = new Promise<void>((resolve) => {
    runInSlices(work(), () => {
      events.push('done')
      resolve()
    })
  })
  setTimeout(() => events.push('another'))
  await done
  expect(events).toEqual(['another', 'done'])
})
