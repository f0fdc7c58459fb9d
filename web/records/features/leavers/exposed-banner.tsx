import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Colleague } from '../../../../contract/accounts.ts'
import type { Employee } from '../../../../contract/employees.ts'
import type { ExposedRecords } from '../../../../contract/history.ts'
import { errorMessage } from '../../../backends/messages.ts'
import { type HistoryService, hasCode } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { actAfter, stopAll, whenSettled } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Button } from '../../../ui/button.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import { displayName, hasEmail } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { countRows } from '../../model/search/visible-rows.ts'
import styles from './exposed-banner.module.css'

/** The records are asked for again when they have not changed for this time, in ms. */
const reloadDelayMs = 1_000

export interface ExposedBannerProps {
  service: HistoryService
  /** The account whose records are asked for. */
  accountId: string
  search: SearchResult
  /** Starts to replace the passwords of the records in the table; null if there are none, or during a run. */
  onStart: (() => void) | null
  onDelete(employee: Employee): void
}

const describe = {
  canSignIn: (colleague: string) =>
    t(
      '{colleague} still has access. Remove the account first, under Team; until then every password counts.',
      { colleague },
    ),
  knowsNone: (colleague: string) =>
    t('All done. {colleague} knows none of the current passwords.', { colleague }),
  knew: (colleague: string, count: number) =>
    t(
      '{colleague} knew {count, plural, one {one password that is} other {# passwords that are}} still in use.',
      { colleague, count },
    ),
}

/** Says how many passwords must be changed because an account could read them, and narrows the table to them. */
export function ExposedBanner({ service, accountId, search, onStart, onDelete }: ExposedBannerProps) {
  const { setExposedIds } = search
  const { employees } = search.rows
  const { exposed, error, retry } = useExposed(service, accountId, employees)
  const email = useEmail(accountId)
  const ids = exposed?.ids ?? null
  useEffect(() => {
    setExposedIds(ids)
    return () => setExposedIds(null)
  }, [ids, setExposedIds])

  const state = exposed && (exposed.canSignIn ? 'canSignIn' : exposed.ids.size === 0 ? 'knowsNone' : 'knew')
  const hasLeft = exposed?.canSignIn === false
  const own = hasLeft && email ? employees.filter((employee) => hasEmail(employee, email)) : []
  const colleague = email ? isolate(email) : t('this colleague')
  const status = state
    ? describe[state](colleague, exposed.ids.size)
    : t('Looking for the passwords to change…')
  const { liveRegion, announce } = useLiveRegion()
  const announceStatus = useEffectEvent(() => announce(status))
  // Not each saved password: the page announces it as such.
  useEffect(() => {
    if (state) announceStatus()
  }, [state])
  return (
    <section
      className={styles.banner}
      aria-label={t('What must we change?')}
      data-done={state === 'knowsNone'}
    >
      <div className={styles.text}>
        <Message role="alert">{error}</Message>
        <Message role="note" isSuccess={state === 'knowsNone'}>
          {!error && status}
        </Message>
        {liveRegion}
      </div>
      {error && <Button onClick={retry}>{t('Try again')}</Button>}
      {onStart && hasLeft && (
        <Button onClick={onStart}>{t('Change {count, number}…', { count: countRows(search.rows) })}</Button>
      )}
      {own.map((employee) => (
        <Button key={employee.id} onClick={() => onDelete(employee)}>
          <Text>{t('Delete the record of {name}', { name: isolate(displayName(employee)) })}</Text>
        </Button>
      ))}
      {/* While the table is empty, the button is below, in it. */}
      {(error || ids?.size !== 0) && <Button onClick={search.showAll}>{t('Show all records')}</Button>}
    </section>
  )
}

/** The records whose password the account could read and nobody changed. The service is asked again after each change. */
function useExposed(service: HistoryService, accountId: string, employees: readonly Employee[]) {
  const [loaded, setLoaded] = useState<(ExposedRecords & { passwords: Map<string, string> }) | null>(null)
  const [error, setError] = useState('')
  const [attempt, setAttempt] = useState(0)

  const handleLoaded = useEffectEvent((records: ExposedRecords) => {
    setError('')
    setLoaded({ ...records, passwords: new Map(employees.map(({ id, password }) => [id, password])) })
  })
  const isFirst = useEffectEvent(() => loaded === null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again after each change
  useEffect(() => {
    const handleError = (error: unknown) =>
      setError(hasCode(error, 'not-found') ? t('There is no such account.') : errorMessage(error))
    let stopLoading = () => {}
    const stopTimer = actAfter(isFirst() ? 0 : reloadDelayMs, () => {
      stopLoading = whenSettled(service.listExposed(accountId), handleLoaded, handleError)
    })
    return stopAll(stopTimer, () => stopLoading())
  }, [service, accountId, employees, attempt])

  const exposed = useMemo(() => {
    if (!loaded) return null
    const { ids, canSignIn, passwords } = loaded
    const listed = new Set(ids)
    const isOpen = ({ id, password }: Employee) =>
      listed.has(id) && (canSignIn || (passwords.get(id) ?? password) === password)
    return { canSignIn, ids: new Set(employees.filter(isOpen).map(({ id }) => id)) }
  }, [loaded, employees])

  return { exposed, error, retry: () => setAttempt(attempt + 1) }
}

/** Undefined until it is known, and for good if it can't be read. */
function useEmail(accountId: string): string | undefined {
  const { listColleagues } = useHistory()
  const [email, setEmail] = useState<string>()
  useEffect(() => {
    const find = (all: Colleague[]) => setEmail(all.find(({ id }) => id === accountId)?.email)
    return whenSettled(listColleagues?.(), find)
  }, [listColleagues, accountId])
  return email
}
