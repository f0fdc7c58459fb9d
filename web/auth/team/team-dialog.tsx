import { useRef, useState } from 'react'
import type { Colleague } from '../../../contract/accounts.ts'
import type { IdentityService, TeamService } from '../../backends/ports.ts'
import { useServiceList } from '../../backends/use-service-list.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { Dialog } from '../../ui/dialog.tsx'
import listStyles from '../../ui/list.module.css'
import { ListStatus } from '../../ui/list.tsx'
import { usePolicy } from '../sign-up-form.tsx'
import { ColleagueItem, RemovedItem } from './colleague-item.tsx'
import { Invitations } from './invitations.tsx'
import { Sheets } from './sheets.tsx'

interface TeamDialogProps {
  email: string
  identity: IdentityService
  team: TeamService
  onClose(): void
  /** Called with the id of the account whose known passwords must change. Without it, nobody can tell. */
  onPick?(accountId: string): void
}

/** Everyone who can read the records, invitations, and those who were removed. */
export function TeamDialog({ email: ownEmail, identity, team, onClose, onPick }: TeamDialogProps) {
  const colleagues = useServiceList('The colleagues were not read or changed:', team.listColleagues)
  const { list, error, change, refresh } = colleagues
  const present = list?.filter(({ removedAt }) => !removedAt) ?? []
  const removed = list?.filter(({ removedAt }) => removedAt).toReversed() ?? []
  const container = useRef<HTMLDivElement>(null)
  const provider = usePolicy(identity)?.sso
  const [openId, setOpenId] = useState<string | null>(null)

  /** The pressed button disappears, so the dialog's content takes the focus. */
  async function letIn({ id, email }: Colleague) {
    const isDone = await change(
      t('{email} can sign in again, with the same password.', { email: isolate(email) }),
      () => team.letIn(id),
    )
    if (!isDone) return
    setOpenId(null)
    container.current?.focus()
  }

  return (
    <Dialog title={t('Team')} onClose={onClose}>
      <div ref={container} tabIndex={-1} className={listStyles.column}>
        <p aria-live="polite">{list && describeReaders(present.length)}</p>
        <ul className={listStyles.list} aria-label={t('Colleagues')}>
          {present.map((colleague) => (
            <ColleagueItem
              key={colleague.id}
              {...{ colleague, identity, provider, ownEmail, team, openId, setOpenId }}
              onRemoved={() => (onPick ? onPick(colleague.id) : refresh())}
            />
          ))}
        </ul>
        {/* Else the same problem would be told for each list. */}
        {(list || !error) && (
          <>
            <Invitations identity={identity} team={team} />
            <Sheets team={team} />
          </>
        )}
        {removed.length > 0 && (
          <>
            <h3>{t('Removed')}</h3>
            <ul className={listStyles.list} aria-label={t('Removed')}>
              {removed.map((colleague) => (
                <RemovedItem
                  key={colleague.id}
                  {...{ colleague, openId, setOpenId }}
                  onPick={onPick && (() => onPick(colleague.id))}
                  onLetIn={() => letIn(colleague)}
                />
              ))}
            </ul>
          </>
        )}
        <ListStatus {...colleagues} />
      </div>
    </Dialog>
  )
}

const describeReaders = (count: number) =>
  t(
    '{count, plural, one {One account can read and change every record.} other {# accounts can read and change every record.}}',
    { count },
  )
