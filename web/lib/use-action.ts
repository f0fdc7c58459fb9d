import { useState } from 'react'
import { useIsSlow } from './use-is-slow.ts'

/** Does one thing at a time, and keeps the message of a failure, which `describeFailure` returns. */
export function useAction(describeFailure: (error: unknown) => string) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const isSlow = useIsSlow(isBusy)

  /** Does nothing while something is being done. Returns whether it succeeded. */
  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isBusy) return false
    setBusy(true)
    setProblem('')
    const failure = await work().then(() => null, describeFailure)
    if (failure !== null) setProblem(failure)
    setBusy(false)
    return failure === null
  }

  return { isBusy, isSlow, problem, run }
}
