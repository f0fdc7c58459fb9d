import { runUpdates, type UpdateLoad } from './updates.ts'

process.on('message', async (order: UpdateLoad) => {
  process.send?.(await runUpdates(order))
})
