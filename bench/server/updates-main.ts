import { measureUpdates, type UpdateOrder } from './updates.ts'

process.on('message', async (order: UpdateOrder) => {
  process.send?.(await measureUpdates(order))
})
