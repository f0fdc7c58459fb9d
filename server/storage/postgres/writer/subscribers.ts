import type { EmployeeChange } from '../../storage.ts'

type Listener = (changes: EmployeeChange[]) => void

interface Subscriber {
  listener: Listener
  /** All changes up to this revision have been delivered. */
  deliveredRevision: number
  onDelivered: () => void
}

/** Delivers every change once to each subscriber, in the order of revisions. */
export function createSubscribers() {
  const subscribers: Subscriber[] = []
  return {
    /** Resolves after the first delivery. */
    add(listener: Listener, afterRevision: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      subscribers.push({ listener, deliveredRevision: afterRevision, onDelivered: resolve })
      return promise
    },

    /**
     * Call before reading, then pass all changes after `afterRevision` to `deliver`. A subscriber that is added in between
     * may need earlier changes, so it waits for the next delivery.
     */
    startDelivery() {
      const recipients = [...subscribers]
      return {
        afterRevision: Math.min(
          Number.MAX_SAFE_INTEGER,
          ...recipients.map(({ deliveredRevision }) => deliveredRevision),
        ),
        deliver(changes: EmployeeChange[], revision: number) {
          for (const recipient of recipients) {
            const newChanges = changes.filter((change) => change.revision > recipient.deliveredRevision)
            recipient.deliveredRevision = Math.max(recipient.deliveredRevision, revision)
            if (newChanges.length > 0) recipient.listener(newChanges)
            recipient.onDelivered()
          }
        },
      }
    },
  }
}
