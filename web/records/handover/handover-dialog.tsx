import { useCallback, useState } from 'react'
import { type Employee, fieldNames, fieldRules } from '../../../contract/employees.ts'
import type { HandoverInfo } from '../../../contract/handovers.ts'
import { CreatedLink } from '../../auth/team/created-link.tsx'
import { createCredentialLink } from '../../auth/team/credential.ts'
import type { TeamService } from '../../backends/ports.ts'
import { canSeal } from '../../lib/seal.ts'
import { describeTime, formatTime } from '../../lib/times.ts'
import { useIsSlow } from '../../lib/use-is-slow.ts'
import { useServiceList } from '../../lib/use-service-list.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import listStyles from '../../ui/list.module.css'
import { ListStatus, Message } from '../../ui/message.tsx'
import { displayName, EmployeeName, fieldViews } from '../fields.tsx'
import { getDetailsCache } from '../history/details-cache.ts'
import type { History } from '../history/history.ts'
import { LastChanged } from '../history/last-changed.tsx'
import { OnDemand } from '../on-demand.tsx'
import * as messages from './messages.ts'

const QrCode = lazyPart(async () => (await import('../../auth/team/qr-code.tsx')).QrCode)

interface HandoverDialogProps {
  employee: Employee
  /** To name the records of other links. */
  employees: readonly Employee[]
  history: History
  loadTeam(): Promise<TeamService>
  onClose(): void
}

/** Makes one-time links to a credential, and revokes those that nobody has opened. */
export function HandoverDialog(props: HandoverDialogProps) {
  const { employee, employees, history, onClose } = props
  const { handovers, created, makeLink, revoke } = useHandovers(props)
  const { isLoading } = handovers
  const isSlow = useIsSlow(isLoading)
  return (
    <Dialog title={messages.title} onClose={onClose}>
      <div tabIndex={-1} className={listStyles.column}>
        <div>
          <p>
            {messages.shows}{' '}
            <strong>
              <EmployeeName record={employee} />
            </strong>{' '}
            {messages.onceTo}
          </p>
          <p className={listStyles.time}>
            <LastChanged history={history} employee={employee} />
          </p>
        </div>
        {canSeal() ? (
          <p>
            <Button
              variant={created ? 'secondary' : 'primary'}
              isBusy={isSlow}
              aria-disabled={isLoading}
              onClick={makeLink}
              data-first
            >
              {messages.makeLink}
            </Button>
          </p>
        ) : (
          <Message role="status">{messages.needsHttps}</Message>
        )}
        {created && (
          <CreatedLink key={created.id} {...created} hint={messages.linkHint} copiedMessage={messages.copied}>
            <OnDemand isOptional>
              <QrCode link={created.link} label={messages.code} />
            </OnDemand>
          </CreatedLink>
        )}
        <OpenLinks {...handovers} employee={employee} employees={employees} onRevoke={revoke} />
        <ListStatus {...handovers} />
      </div>
    </Dialog>
  )
}

function useHandovers({ employee, history, loadTeam }: HandoverDialogProps) {
  const read = useCallback(async () => (await loadTeam()).listHandovers(), [loadTeam])
  const handovers = useServiceList('The links were not read or changed:', read)
  const { isLoading, change } = handovers
  const [created, setCreated] = useState<{ id: string; link: string } | null>(null)
  const refreshDetails = () =>
    getDetailsCache(history)
      .load([employee], { mayBeCached: false })
      .catch(() => {})

  async function makeLink() {
    if (isLoading) return
    await change('', async () => {
      const lines = fieldNames.map((name) => ({
        label: fieldViews[name].label,
        value: employee[name],
        isSecret: fieldRules[name].isSecret === true,
      }))
      setCreated(await createCredentialLink(await loadTeam(), employee.id, lines))
    })
    await refreshDetails()
  }

  async function revoke({ id }: HandoverInfo) {
    const revoking = async () => (await loadTeam()).revokeHandover(id)
    if ((await change(messages.revoked, revoking)) && created?.id === id) setCreated(null)
    await refreshDetails()
  }

  return { handovers, created, makeLink, revoke }
}

interface OpenLinksProps extends Pick<HandoverDialogProps, 'employee' | 'employees'> {
  list: readonly HandoverInfo[] | null
  isGone(handover: HandoverInfo): boolean
  onRevoke(handover: HandoverInfo): void
}

/** The links to this credential, and on request those to others. */
function OpenLinks({ list, isGone, employee, employees, onRevoke }: OpenLinksProps) {
  const [showsAll, setShowsAll] = useState(false)
  const own = (list ?? []).filter(({ record }) => record === employee.id)
  const others = (list ?? []).filter(({ record }) => record !== employee.id)
  const shown = showsAll ? [...own, ...others] : own

  function renderLink(handover: HandoverInfo) {
    const { id, record, by, expiresAt } = handover
    const found = employees.find((each) => each.id === record)
    const [time, name] = [formatTime(expiresAt), found ? displayName(found) : record]
    return (
      <li key={id} className={listStyles.item}>
        <div>
          <p className={listStyles.name}>
            <bdi>{name}</bdi>
          </p>
          <p className={listStyles.time}>{messages.byUntil(by, describeTime(expiresAt))}</p>
        </div>
        <Button
          aria-label={isGone(handover) ? messages.isRevoked : messages.revokeFor(name, time)}
          isDone={isGone(handover)}
          onClick={() => onRevoke(handover)}
        >
          {isGone(handover) ? messages.isRevoked : messages.revoke}
        </Button>
      </li>
    )
  }

  return (
    <>
      {shown.length > 0 && <h3>{messages.openLinks}</h3>}
      <ul className={listStyles.list}>{shown.map(renderLink)}</ul>
      {!showsAll && others.length > 0 && (
        <p>
          <Button variant="ghost" onClick={() => setShowsAll(true)}>
            {messages.otherLinks(others.length)}
          </Button>
        </p>
      )}
    </>
  )
}
