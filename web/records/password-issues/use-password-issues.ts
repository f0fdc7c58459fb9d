import { useEffect, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { runWhenIdle, whenIdle } from '../../lib/run-when-idle.ts'
import type { PasswordIssues, WeaknessCache } from './find-password-issues.ts'

/**
 * The weak and the reused passwords of all records, found while the browser is idle. Null until they are known for the
 * first time, and while not enabled; after a change the previous result, until the new one is known. Passwords never leave
 * the page.
 */
export function usePasswordIssues(employees: readonly Employee[], isEnabled: boolean): PasswordIssues | null {
  const [issues, setIssues] = useState<PasswordIssues | null>(null)
  if (!isEnabled && issues) setIssues(null)
  const [weaknessCache] = useState((): WeaknessCache => new WeakMap())

  useEffect(() => {
    if (!isEnabled) return
    const controller = new AbortController()
    const { signal } = controller
    async function update() {
      await whenIdle()
      // The page works without it: if it can't be loaded now, the next change tries again.
      const module = await import('./find-password-issues.ts').catch(() => null)
      if (!module) return
      const found = await runWhenIdle(module.findPasswordIssues(employees, weaknessCache), signal)
      if (found) setIssues(found)
    }
    void update()
    return () => controller.abort()
  }, [employees, isEnabled, weaknessCache])

  return issues
}
