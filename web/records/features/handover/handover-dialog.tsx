import { useCallback } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import type { HandoverInfo } from '../../../../contract/handovers.ts'
import { CreatedLink, useLinks } from '../../../auth/team/created-link.tsx'
import { canEncrypt, sealCredential } from '../../../auth/team/credential.ts'
import { QrCode } from '../../../auth/team/qr-code.tsx'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime, formatTime } from '../../../lib/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import listStyles from '../../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../../../ui/list.tsx'
import { cutName, Message, Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import { useDetails } from '../../model/history/use-details.ts'
import { describeHttpsOnly, SheetDialog, type SheetDialogProps } from './sheet-dialog.tsx'

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
  const { list, created, revoke } = handovers
  // A new or revoked link changes them.
  const details = useDetails(service, employee, list)
  return (
    <Dialog title={t('Hand over')} onClose={onClose}>
      <div tabIndex={-1} className={listStyles.column}>
        <div>
          <p>
            <Text renderValue={cutName}>
              {t('The link shows {name} the credential, once, without an account. It works for 7 days.', {
                name: isolate(displayName(employee)),
              })}
            </Text>
          </p>
          <p className={listStyles.time}>
            <Text>{details}</Text>
          </p>
        </div>
        <MakeButton {...handovers} />
        {created && (
          <CreatedLink
            key={created.id}
            {...created}
            hint={t('Send it or let a phone scan it. You won’t see it again.')}
            copiedMessage={t('Copied. Send it to the employee only.')}
          >
            <QrCode link={created.link} label={t('The link as a QR code')} />
          </CreatedLink>
        )}
        {list && list.length > 0 && <h3>{t('Open links')}</h3>}
        <ul className={listStyles.list}>
          {list?.map((handover) => (
            <HandoverItem
              key={handover.id}
              item={handover}
              employee={employees.find(({ id }) => id === handover.record)}
              isDone={handovers.isGone(handover)}
              onClick={() => revoke(handover, t('Link revoked.'), () => team.revokeHandover(handover.id))}
            />
          ))}
        </ul>
        <ListStatus {...handovers} />
      </div>
    </Dialog>
  )
}

function MakeButton({ isLoading, isSlow, created, makeLink }: ReturnType<typeof useHandovers>) {
  if (!canEncrypt()) return <Message role="status">{describeHttpsOnly()}</Message>
  return (
    <p>
      <Button
        variant={created ? 'secondary' : 'primary'}
        isBusy={isSlow}
        aria-disabled={isLoading}
        onClick={makeLink}
        data-first
      >
        {t('Make a link')}
      </Button>
    </p>
  )
}

interface HandoverItemProps extends OnceItemProps<HandoverInfo> {
  /** Undefined if the record does not exist any more. */
  employee: Employee | undefined
}

function HandoverItem({ item, employee, ...button }: HandoverItemProps) {
  const { record, by, expiresAt } = item
  const until = { name: employee ? displayName(employee) : record, time: formatTime(expiresAt) }
  const details = { account: isolate(by), when: describeTime(expiresAt) }
  return (
    <ListItem name={isolate(until.name)} details={[t('By {account} · expires {when}', details)]}>
      <OnceButton
        {...button}
        verbs={[t('Revoke'), t('Revoked')]}
        labels={[
          t('Revoke the link for {name}, until {time}', until),
          t('Revoked the link for {name}, until {time}', until),
        ]}
      />
    </ListItem>
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
