import { expect, test, vi } from 'vitest'
import { named } from '../../../../tests/support/people.ts'
import { ServiceError } from '../../../backends/ports.ts'
import type { Operation } from '../../model/book/operation.ts'
import { nullStore } from '../../model/outbox/encrypted-store.ts'
import { Outbox, type OutboxOptions } from '../../model/outbox/outbox.ts'
import { takeBackDeletion } from './take-back-deletion.ts'

const ada = { id: 'a', ...named('Ada Lovelace') }
const grace = { id: 'g', ...named('Grace Hopper') }
const removal = (employee: typeof ada): Operation => ({ kind: 'remove', employee })
const offline = new ServiceError('offline', 'The server can’t be reached.')

function openOutbox() {
  const send = vi.fn<OutboxOptions['send']>()
  return { send, outbox: new Outbox({ encryptedStore: nullStore, send, getBook: () => [ada, grace] }) }
}

test('a deletion that waits is not sent again after its record was restored; those of others are', async () => {
  const { outbox, send } = openOutbox()
  send.mockRejectedValue(offline)
  for (const employee of [ada, grace]) await outbox.submit(removal(employee))
  takeBackDeletion(outbox, 'a')
  send.mockClear()
  await outbox.resendWaiting()
  expect(send.mock.calls.map(([operation]) => operation)).toEqual([removal(grace)])
})

test('a deletion whose answer is lost after its record was restored is not sent again', async () => {
  const { outbox, send } = openOutbox()
  const { promise, reject } = Promise.withResolvers<never>()
  send.mockReturnValueOnce(promise)
  const deleted = outbox.submit(removal(ada))
  await expect.poll(() => send.mock.calls.length).toBe(1)
  takeBackDeletion(outbox, 'a')
  reject(offline)
  await deleted
  expect(outbox.entries()).toEqual([])
})
