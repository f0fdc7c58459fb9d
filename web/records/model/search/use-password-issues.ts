import { useEffect, useRef, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { loadOnReturn, stopAll } from '../../../lib/dom.ts'
import { runWhenIdle, whenIdle } from '../../../lib/run-when-idle.ts'
import { useHistory } from '../history/history.ts'
import type { PasswordIssues } from './search-params.ts'

/**
 * Finds the weak, the reused and, if the service remembers changes, the old passwords of all records while the browser is
 * idle. Null until they are known for the first time, and while not enabled; after a change the previous result, until the
 * new one is known. Passwords never leave the page.
 */
export function usePasswordIssues(employees: readonly Employee[], isEnabled: boolean): PasswordIssues | null {
  const [issues, setIssues] = useState<PasswordIssues | null>(null)
  if (!isEnabled && issues) setIssues(null)
  const { service, isLoggingOut } = useHistory()
  const oldPasswords = useRef<ReadonlyMap<string, string>>(null)

  useEffect(() => {
    if (!isEnabled || isLoggingOut) return
    const controller = new AbortController()
    const { signal } = controller
    async function update() {
      await whenIdle()
      const module = await import('./find-password-issues.ts')
      if (signal.aborted) return
      oldPasswords.current ??= await module.loadOldPasswords(service, employees).catch(() => null)
      const search = module.findPasswordIssues(employees, oldPasswords.current ?? new Map())
      const found = await runWhenIdle(search, signal)
      if (found) setIssues(found)
    }
    return stopAll(loadOnReturn(update), () => controller.abort())
  }, [employees, isEnabled, isLoggingOut, service])

  return issues
}
