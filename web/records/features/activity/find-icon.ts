import type { ActivityKind } from '../../../../contract/activity/activity.ts'
import type { IconName } from '../../../ui/icon.tsx'

const icons: [icon: IconName, kinds: ActivityKind[]][] = [
  ['plus', ['add']],
  ['pencil', ['change', 'restore']],
  ['trash', ['delete']],
  ['eye', ['reveal']],
  ['copy', ['copy']],
  ['upload', ['import', 'restore-backup']],
  ['download', ['export', 'export-passwords', 'emergency', 'backup']],
  ['send', ['hand-over', 'revoke-hand-over', 'open-hand-over', 'expire-hand-over']],
  ['monitor', ['sign-in', 'sign-in-first', 'sign-in-new-browser', 'refuse-sign-in', 'end-sessions']],
]

/** The icon beside an entry of the log. */
export const findIcon = (kind: ActivityKind): IconName =>
  icons.find(([, kinds]) => kinds.includes(kind))?.[0] ?? 'circle-user-round'
