import { expect, test } from 'vitest'
import { SerialQueues } from './serial-queues.ts'

test('failed work does not prevent the work after it', async () => {
  const queues = new SerialQueues()
  const order: number[] = []
  const failed = queues.run('key', async () => {
    order.push(1)
    throw new Error('failed')
  })
  const next = queues.run('key', async () => void order.push(2))
  await expect(failed).rejects.toThrow('failed')
  await next
  expect(order).toEqual([1, 2])
  await queues.waitUntilIdle(0)
})
