import { groupNames } from '../../../../contract/activity/activity.ts'
import { activityHash } from '../../model/view.ts'
import type { ActivityFilter } from './use-activity.ts'

/** The part of the address that opens the dialog, and names what it shows: people by their ids alone. */
export const toActivityHash = ({ kind, by }: ActivityFilter) =>
  `${activityHash}${kind ? `=${kind}` : ''}${by === undefined ? '' : `&by=${encodeURIComponent(by)}`}`

export const isActivityHash = (hash: string) => hash.startsWith(activityHash)

export function readActivityHash(hash: string): ActivityFilter {
  const params = new URLSearchParams(hash.slice(1))
  const kind = groupNames.find((group) => group === params.get(activityHash.slice(1)))
  const by = params.get('by')
  return { ...(kind && { kind }), ...(by !== null && { by }) }
}
