import { type ChangeListener, type EmployeeChange, isEmpty } from '../../types.ts'

interface Subscriber {
  listener: ChangeListener
  /** All changes up to this revision have been delivered. */
  deliveredRevision: number
  onDelivered: () => void
}

/** Delivers every change once to each subscriber, in the order of revisions. */
export function createSubscribers() {
  const subscribers: Subscriber[] = []
  return {
    /** Resolves after the first delivery. */
    add(listener: ChangeListener, afterRevision: number): Promise<void> {
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
        async deliver(changes: Iterable<EmployeeChange>, revision: number) {
          for (const recipient of recipients) {
            const newChanges = laterThan(recipient.deliveredRevision, changes)
            recipient.deliveredRevision = Math.max(recipient.deliveredRevision, revision)
            if (!isEmpty(newChanges)) await recipient.listener(newChanges)
            recipient.onDelivered()
          }
        },
      }
    },
  }
}

function laterThan(revision: number, changes: Iterable<EmployeeChange>): Iterable<EmployeeChange> {
  return {
    *[Symbol.iterator]() {
      for (const change of changes) if (change.revision > revision) yield change
    },
  }
}
