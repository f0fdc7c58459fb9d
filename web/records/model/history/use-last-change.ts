import { useEffect, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { currentLocale } from '../../../language/translate.ts'
import { whenSettled } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { formatTime } from '../../../lib/times/times.ts'
import { useHistory } from './history.ts'

interface LastChange {
  who: 'you' | 'someone' | 'other'
  /** An email, with marks. */
  by: string
  /** Empty if it is not known. */
  time: string
}

const unknownChange: LastChange = { who: 'someone', by: '', time: '' }

/** Who has last changed a record, and when: undefined until it is known whether the service can tell. */
export function useLastChange(employee: Employee | undefined): LastChange | undefined {
  const { service, email } = useHistory()
  const [change, setChange] = useState<LastChange>()
  useEffect(() => {
    if (!service || !employee) return setChange(unknownChange)
    const details = service.details([employee.id]).catch(() => [])
    return whenSettled(details, ([{ changedAt, changedBy } = {}]) => {
      if (!changedAt || changedBy === undefined) return setChange(unknownChange)
      const who = changedBy === email ? 'you' : 'other'
      setChange({ who, by: isolate(changedBy), time: formatMoment(changedAt) })
    })
  }, [service, employee, email])
  return change
}

/** The time of a day, and of another day also its date. */
function formatMoment(isoTime: string): string {
  const time = new Date(isoTime)
  return time.toDateString() === new Date().toDateString()
    ? time.toLocaleTimeString(currentLocale(), { timeStyle: 'short' })
    : formatTime(isoTime)
}
