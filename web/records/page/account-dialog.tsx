import { useNavigate } from 'react-router'
import { PasswordDialog } from '../../auth/password-dialog.tsx'
import { SessionsDialog } from '../../auth/sessions-dialog.tsx'
import { TeamDialog } from '../../auth/team/team-dialog.tsx'
import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { ActivityDialog } from '../features/activity/activity-dialog.tsx'
import { HelpDialog } from '../features/help/help-dialog.tsx'
import { ShortcutsDialog } from '../features/help/shortcuts-dialog.tsx'
import { DeletedDialog } from '../features/history/deleted-dialog.tsx'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import { formatLeaver } from '../model/search/search-params.ts'
import type { AccountDialogKind } from '../model/view.ts'

interface AccountDialogProps {
  kind: AccountDialogKind
  identity: IdentityService
  onClose(): void
}

/** The dialogs of the account menu, in a chunk of their own: all are small, and each is rarely opened. */
export function AccountDialog({ kind, identity, onClose }: AccountDialogProps) {
  const { sessions, team } = identity
  const { email, uid, service } = useHistory()
  const navigate = useNavigate()

  /** Narrows the table to the passwords that must change because this account leaves. */
  function showExposed(accountId: string) {
    onClose()
    void navigate({ search: formatLeaver(accountId) })
  }

  switch (kind) {
    case 'password':
      return <PasswordDialog email={email} identity={identity} onClose={onClose} />
    case 'sessions':
      return (
        sessions && (
          <SessionsDialog
            email={email}
            identity={identity}
            sessions={sessions}
            onClose={onClose}
            {...(service && { listOwn: () => service.listActivity({ kind: 'sign-ins', by: uid }) })}
          />
        )
      )
    case 'team':
      return (
        team && (
          <TeamDialog
            email={email}
            identity={identity}
            team={team}
            onClose={onClose}
            {...(service && { onPick: showExposed })}
          />
        )
      )
    case 'activity':
      return (
        service && (
          <ActivityDialog title={t(pageCommands.activity.label)} service={service} onClose={onClose} />
        )
      )
    case 'deleted':
      return service && <DeletedDialog service={service} onClose={onClose} />
    case 'shortcuts':
      return <ShortcutsDialog title={t(pageCommands.shortcuts.label)} onClose={onClose} />
    case 'help':
      return <HelpDialog title={t(pageCommands.help.label)} onClose={onClose} />
  }
}
