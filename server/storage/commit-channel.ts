import { channel } from 'node:diagnostics_channel'

/** One commit: the number of writes in it, and how long its transaction took, with the fsync. */
export interface CommitMessage {
  writes: number
  seconds: number
}

const commits = channel('staffbook.commit')

/** Costs nothing while nobody has subscribed. */
export function publishCommit(message: CommitMessage): void {
  if (commits.hasSubscribers) commits.publish(message)
}

/** Returns a function that ends the subscription. */
export function subscribeToCommits(listener: (message: CommitMessage) => void): () => void {
  const onMessage = (message: unknown) => listener(message as CommitMessage)
  commits.subscribe(onMessage)
  return () => commits.unsubscribe(onMessage)
}
