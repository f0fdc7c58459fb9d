import { useEffect, useState } from 'react'

/** Work that takes no longer needs no sign that it is being done, in ms. */
const signDelayMs = 300

/** Whether the work has been running for so long that the page must show it. */
export function useIsSlow(isBusy: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setIsSlow(true), signDelayMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isBusy])
  return isSlow
}
