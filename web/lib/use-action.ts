import { useEffect, useState } from 'react'

/** Work that takes no longer needs no sign that it is being done, in ms. */
const signDelayMs = 300

/**
 * The state of work: whether it is being done, and for so long that the page must show it; and the message of a failure, which
 * `describeFailure` returns. `run` does some, and returns whether it succeeded.
 */
export function useWork(describeFailure: (error: unknown) => string) {
  const [isBusy, setBusy] = useState(false)
  const [isSlow, setSlow] = useState(false)
  const [problem, setProblem] = useState('')

  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(setSlow, signDelayMs, true)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBusy])

  async function run(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    setProblem('')
    const failure = await work().then(() => null, describeFailure)
    if (failure !== null) setProblem(failure)
    setBusy(false)
    return failure === null
  }

  return { isBusy, isSlow, problem, run }
}

/** Does one thing at a time: `run` does nothing while something is being done. */
export function useAction(describeFailure: (error: unknown) => string) {
  const work = useWork(describeFailure)
  return { ...work, run: async (next: () => Promise<unknown>) => !work.isBusy && work.run(next) }
}
