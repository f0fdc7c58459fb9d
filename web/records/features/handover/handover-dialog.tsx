import { useCallback, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import type { HandoverInfo } from '../../../../contract/handovers.ts'
import type { HandoverHours } from '../../../../contract/links.ts'
import { CreatedLink, useLinks } from '../../../auth/team/created-link.tsx'
import { canEncrypt, sealCredential } from '../../../auth/team/credential.ts'
import { QrCode } from '../../../auth/team/qr-code.tsx'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime, formatTime } from '../../../lib/times/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import listStyles from '../../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../../../ui/list.tsx'
import { cutName, Message, Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import { useDetails } from '../../model/history/use-details.ts'
import { EndChoice } from './end-choice.tsx'
import styles from './handover-dialog.module.css'
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
  const { list, created } = handovers
  const latestFirst = list?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) ?? []
  const own = latestFirst.filter(({ record }) => record === employee.id)
  const others = latestFirst.filter(({ record }) => record !== employee.id)
  const listProps = { handovers, employees, team }
  // A new or revoked link changes them.
  const details = useDetails(service, employee, list)
  return (
    <Dialog title={t('Hand over {name}', { name: isolate(displayName(employee)) })} onClose={onClose}>
      <div tabIndex={-1} className={listStyles.column}>
        <div>
          <p>
            <Text renderValue={cutName}>
              {t('The link shows {name} the credential, once, without an account.', {
                name: isolate(displayName(employee)),
              })}
            </Text>
          </p>
          <p className={listStyles.time}>
            <Text>{details?.line}</Text>
          </p>
        </div>
        {created ? (
          <CreatedLink
            key={created.id}
            {...created}
            hint={t('Send it or let a phone scan it. You won’t see it again.')}
            copiedMessage={t('Copied. Send it to the employee only.')}
          >
            <QrCode link={created.link} label={t('The link as a QR code')} />
          </CreatedLink>
        ) : (
          canEncrypt() && (
            <EndChoice
              legend={t('The link works for')}
              value={handovers.hours}
              onChange={handovers.setHours}
            />
          )
        )}
        <MakeButton {...handovers} />
        {own.length > 0 && <h3>{t('Open links')}</h3>}
        <HandoverList {...listProps} items={own} isOwn />
        {others.length > 0 && (
          <details className={styles.others}>
            <summary>
              <Text>{describeOthers(others.length)}</Text>
            </summary>
            <HandoverList {...listProps} items={others} />
          </details>
        )}
        <ListStatus {...handovers} />
      </div>
    </Dialog>
  )
}

const describeOthers = (count: number) =>
  t('{count, plural, one {# open link to another record} other {# open links to other records}}', { count })

type Handovers = ReturnType<typeof useHandovers>

/** Makes a link; while one is shown, makes room for another. */
function MakeButton({ isSlow, created, hideCreated, makeLink }: Handovers) {
  if (!canEncrypt()) return <Message role="status">{describeHttpsOnly()}</Message>
  return (
    <p>
      <Button
        variant={created ? 'secondary' : 'primary'}
        isBusy={isSlow}
        onClick={created ? hideCreated : makeLink}
        data-first
      >
        <Text>{created ? t('Make another link') : t('Make a link')}</Text>
      </Button>
    </p>
  )
}

interface HandoverListProps extends Pick<LinkDialogProps, 'employees' | 'team'> {
  handovers: Handovers
  items: readonly HandoverInfo[]
  /** They are to the record of the dialog, whose name is its title. */
  isOwn?: boolean
}

const HandoverList = ({ handovers, items, isOwn = false, employees, team }: HandoverListProps) => (
  <ul className={listStyles.list}>
    {items.map((handover) => (
      <HandoverItem
        key={handover.id}
        item={handover}
        isOwn={isOwn}
        employee={employees.find(({ id }) => id === handover.record)}
        isDone={handovers.isGone(handover)}
        onClick={() => handovers.revoke(handover, t('Link revoked.'), () => team.revokeHandover(handover.id))}
      />
    ))}
  </ul>
)

interface HandoverItemProps extends OnceItemProps<HandoverInfo> {
  isOwn: boolean
  /** Undefined if the record does not exist any more. */
  employee: Employee | undefined
}

function HandoverItem({ item, isOwn, employee, ...button }: HandoverItemProps) {
  const { record, by, expiresAt } = item
  const until = { name: employee ? displayName(employee) : record, time: formatTime(expiresAt) }
  const account = isolate(by)
  const made = button.isDone
    ? t('By {by}', { by: account })
    : t('By {account} · expires {when}', { account, when: describeTime(expiresAt) })
  return (
    <ListItem name={isOwn ? made : isolate(until.name)} details={[!isOwn && made]}>
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

/** The open links, and what makes another. */
function useHandovers({ employee, team }: LinkDialogProps) {
  const { id } = employee
  const read = useCallback(async () => {
    const handovers = await team.listHandovers()
    // The dialog of the team lists sheets.
    return handovers.filter(({ record, sheet }) => !sheet || record === id)
  }, [team, id])
  const links = useLinks('The links were not read or changed:', read)
  const [hours, setHours] = useState<HandoverHours>(7 * 24)
  const makeLink = () =>
    links.make(async () => {
      const { handover, toLink } = await sealCredential(employee)
      const { id, token } = await team.createHandover({ ...handover, hours })
      return { id, link: toLink(token) }
    })
  return { ...links, makeLink, hours, setHours }
}
