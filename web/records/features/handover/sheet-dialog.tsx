import { useState, useTransition } from 'react'
import { type Employee, fieldRules } from '../../../../contract/employees.ts'
import { maxSheetLength } from '../../../../contract/handovers.ts'
import type { HandoverHours } from '../../../../contract/links.ts'
import { canEncrypt, sealCredential } from '../../../auth/team/credential.ts'
import { reportError } from '../../../backends/messages.ts'
import type { TeamService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import listStyles from '../../../ui/list.module.css'
import { Message } from '../../../ui/message.tsx'
import { readableField, visibleFieldNames } from '../../model/fields.ts'
import { download, toSpreadsheet } from '../../model/spreadsheet/to-csv.ts'
import { EndChoice } from './end-choice.tsx'
import { PrintSheet, type SheetLink } from './print-sheet.tsx'

export interface SheetDialogProps {
  records: readonly Employee[]
  /** All records, as they are now. */
  employees: readonly Employee[]
  team: TeamService
  onClose(): void
}

/** Why this browser can make no links. */
export const describeHttpsOnly = () =>
  t(
    'The link is encrypted in this browser, which works over HTTPS only. Ask your administrator to set it up.',
  )

/** Makes one-time links to several credentials, to print them or to send them by a list. */
export function SheetDialog(props: SheetDialogProps) {
  const { records, onClose } = props
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [hours, setHours] = useState<HandoverHours>(7 * 24)
  const { isBusy, isSlow, problem, run } = useAction((error) =>
    reportError('The links were not made:', error),
  )
  const make = () => run(async () => setSheet(await createSheet(props, hours)))
  const obstacle = canEncrypt()
    ? records.length > maxSheetLength && t('A sheet has at most 500 links.')
    : describeHttpsOnly()
  return (
    <Dialog
      title={t('Hand over {count, plural, one {# record} other {# records}}', { count: records.length })}
      canClose={!isBusy}
      onClose={onClose}
    >
      <div className={listStyles.column}>
        <p>
          {sheet
            ? t(
                'Print the links, or download them as a list. After you close this, nobody can see them again. Whoever has a link can open it first.',
              )
            : t(
                'Each of {count, number} people gets a link that shows the credential, once, without an account. Links of the same people on earlier sheets stop working.',
                { count: records.length },
              )}
        </p>
        {!sheet && !obstacle && (
          <EndChoice legend={t('The links work for')} value={hours} onChange={setHours} />
        )}
        <Message role="status" isSuccess={!obstacle}>
          {obstacle || (sheet && describeMade(sheet.links.length, records.length - sheet.links.length))}
        </Message>
        <Message role="alert">{problem}</Message>
      </div>
      {!sheet && !obstacle && (
        <DialogFooter>
          <Button variant="primary" isBusy={isSlow} aria-disabled={isBusy} onClick={make} data-first>
            {t('Make {count, number} links', { count: records.length })}
          </Button>
        </DialogFooter>
      )}
      {sheet && sheet.links.length > 0 && <SheetFooter {...sheet} />}
    </Dialog>
  )
}

/** Downloads or prints the links that were made. */
function SheetFooter(sheet: Sheet) {
  /** Counts how often the sheet has been printed; 0 while it is not in the page. */
  const [printAttempt, setPrintAttempt] = useState(0)
  const [isPreparing, startPreparing] = useTransition()
  return (
    <>
      <DialogFooter>
        <Button onClick={() => downloadList(sheet.links)}>{t('Download as CSV')}</Button>
        <Button
          variant="primary"
          autoFocus
          isBusy={isPreparing}
          onClick={() => startPreparing(() => setPrintAttempt(printAttempt + 1))}
        >
          {t('Print')}
        </Button>
      </DialogFooter>
      {printAttempt > 0 && (
        <PrintSheet {...sheet} attempt={printAttempt} onPrinted={() => setPrintAttempt(0)} />
      )}
    </>
  )
}

const describeMade = (made: number, leftOut: number) =>
  t(
    '{made, plural, one {# link} other {# links}} made.{leftOut, plural, =0 {} other { # left out: someone has changed or deleted the record.}}',
    { made, leftOut },
  )

interface Sheet {
  links: SheetLink[]
  expiresAt: string
}

/** Leaves out records that are gone, or that someone else has just changed. Encrypts one at a time, so that the page responds. */
async function createSheet(
  { team, records, employees }: SheetDialogProps,
  hours: HandoverHours,
): Promise<Sheet> {
  const byId = new Map(employees.map((employee) => [employee.id, employee]))
  const present = records.flatMap(({ id }) => byId.get(id) ?? [])
  const sealed: Awaited<ReturnType<typeof sealCredential>>[] = []
  for (const employee of present) sealed.push(await sealCredential(employee))
  const { tokens, expiresAt } =
    present.length > 0
      ? await team.createSheet(sealed.map(({ handover }) => ({ ...handover, hours })))
      : { tokens: [], expiresAt: '' }
  const links = present.flatMap((employee, i): SheetLink[] => {
    const [token, made] = [tokens[i], sealed[i]]
    if (!token || !made) return []
    return [
      {
        id: employee.id,
        texts: visibleFieldNames.map((name) => readableField(employee, name)),
        link: made.toLink(token),
      },
    ]
  })
  return { links, expiresAt }
}

function downloadList(links: readonly SheetLink[]) {
  const header = [...visibleFieldNames.map((name) => fieldRules[name].label), 'Link']
  const csv = toSpreadsheet([header, ...links.map(({ texts, link }) => [...texts, link])])
  download(new File([csv], 'hand-over.csv', { type: 'text/csv;charset=utf-8' }))
}
