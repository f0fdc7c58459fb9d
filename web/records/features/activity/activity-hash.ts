import { type ActivityGroup, groupNames } from '../../../../contract/activity/activity.ts'
import { activityHash } from '../../model/view.ts'

/** The part of the address that opens the dialog, and names what it shows. */
export const toActivityHash = (group: ActivityGroup | undefined) =>
  group ? `${activityHash}=${group}` : activityHash

export const readActivityHash = (hash: string): ActivityGroup | undefined =>
  groupNames.find((group) => toActivityHash(group) === hash)
