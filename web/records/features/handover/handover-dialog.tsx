import { useCallback } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { CreatedLink, useLinks } from '../../../auth/team/created-link.tsx'
import { canEncrypt, sealCredential } from '../../../auth/team/credential.ts'
import { QrCode } from '../../../auth/team/qr-code.tsx'
import type { HistoryService } from '../../../backends/ports.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime, formatTime } from '../../../lib/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import listStyles from '../../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton } from '../../../ui/list.tsx'
import { Message, Name, Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import { useDetails } from '../../model/history/use-details.ts'
import * as messages from './messages.ts'
import { SheetDialog, type SheetDialogProps } from './sheet-dialog.tsx'

interface HandoverDialogProps extends SheetDialogProps {
  service: HistoryService
}

/** Hands over one credential, or several together. */
export function HandoverDialog(props: HandoverDialogProps) {
  const [first, ...others] = props.records
  if (!first || others.length > 0) return <SheetDialog {...props} />
  const employee = props.employees.find(({ id }) => id === first.id) ?? first
  return <LinkDialog {...props} employee={employee} />
}

interface LinkDialogProps extends HandoverDialogProps {
  employee: Employee
}

/** Makes one-time links to a credential, and revokes those that nobody has opened. */
function LinkDialog(props: LinkDialogProps) {
  const { employee, employees, service, team, onClose } = props
  const handovers = useHandovers(props)
  const { list, isLoading, isSlow, created, makeLink, revoke } = handovers
  // A new or revoked link changes them.
  const details = useDetails(service, employee, list)
  return (
    <Dialog title={messages.title} onClose={onClose}>
      <div tabIndex={-1} className={listStyles.column}>
        <div>
          <p>
            {messages.shows} <Name>{displayName(employee)}</Name> {messages.onceTo}
          </p>
          <p className={listStyles.time}>
            <Text>{details}</Text>
          </p>
        </div>
        {canEncrypt() ? (
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
            <QrCode link={created.link} label={messages.code} />
          </CreatedLink>
        )}
        {list && list.length > 0 && <h3>{messages.openLinks}</h3>}
        <ul className={listStyles.list}>
          {list?.map((handover) => {
            const { id, record, by, expiresAt } = handover
            const found = employees.find(({ id }) => id === record)
            const name = found ? displayName(found) : record
            return (
              <ListItem
                key={id}
                name={isolate(name)}
                details={[messages.byUntil(isolate(by), describeTime(expiresAt))]}
              >
                <OnceButton
                  verbs={messages.revoke}
                  label={(verb) => messages.revokeLabel(verb, name, formatTime(expiresAt))}
                  isDone={handovers.isGone(handover)}
                  onClick={() => revoke(handover, messages.revoked, () => team.revokeHandover(id))}
                />
              </ListItem>
            )
          })}
        </ul>
        <ListStatus {...handovers} />
      </div>
    </Dialog>
  )
}

/** The open links, those to this record first, and what makes another. */
function useHandovers({ employee, team }: LinkDialogProps) {
  const { id } = employee
  const read = useCallback(async () => {
    const handovers = await team.listHandovers()
    // The dialog of the team lists sheets.
    const shown = handovers.filter(({ record, sheet }) => !sheet || record === id)
    return shown.toSorted((a, b) => Number(b.record === id) - Number(a.record === id))
  }, [team, id])
  const links = useLinks('The links were not read or changed:', read)
  const makeLink = () =>
    links.make(async () => {
      const { handover, toLink } = await sealCredential(employee)
      const { id, token } = await team.createHandover(handover)
      return { id, link: toLink(token) }
    })
  return { ...links, makeLink }
}
