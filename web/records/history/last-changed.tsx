import { useEffect } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { describeDetails } from './describe-details.ts'
import { getDetailsCache, useDetailsCache } from './details-cache.ts'
import type { History } from './history.ts'
import * as messages from './messages.ts'

/** Shows when and by whom a record was last changed, as one line of the form. */
export function LastChanged({ history, employee }: { history: History; employee: Employee }) {
  const cache = useDetailsCache(history)
  useEffect(() => {
    // Without a network the line stays empty. It may be cached, but someone may have saved the same fields again.
    cache.load([employee], { mayBeCached: false }).catch(() => {})
  }, [cache, employee])
  const details = cache.get(employee)
  return details === undefined ? null : (describeDetails(details, history.email) ?? messages.notRecorded)
}

/** The same line as a title; empty if the service knows nothing. Loads the details of nearby records with it. */
export async function readLastChange(history: History, employee: Employee, nearby: readonly Employee[]) {
  const cache = getDetailsCache(history)
  await cache.load(nearby)
  return describeDetails(cache.get(employee), history.email) ?? ''
}
