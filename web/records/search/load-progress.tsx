import { useEffect, useEffectEvent, useState } from 'react'
import { useLiveRegion } from '../../ui/live-region.tsx'
import { loading } from '../../ui/messages.ts'
import * as messages from './messages.ts'
import styles from './result-count.module.css'

/** Interval of the announcements to screen readers. Most lists have been loaded before the first. */
const announceIntervalMs = 10_000

interface LoadProgressProps {
  /** The number of records that have arrived. */
  count: number
  /** The number of all records, if it is known. */
  total: number | undefined
  isLoaded: boolean
}

/** Tells how much of the list has been loaded, until all of it has. */
export function LoadProgress({ count, total, isLoaded }: LoadProgressProps) {
  const { liveRegion, announce } = useLiveRegion()
  const [hasAnnounced, setHasAnnounced] = useState(false)
  const ofTotal = total === undefined ? '' : messages.ofTotal(total.toLocaleString())
  const text = `${count.toLocaleString()}${ofTotal}`

  const announceProgress = useEffectEvent(() => {
    setHasAnnounced(true)
    announce(count > 0 ? text + messages.loaded : loading)
  })

  useEffect(() => {
    if (isLoaded) return
    const timer = setInterval(announceProgress, announceIntervalMs)
    return () => clearInterval(timer)
  }, [isLoaded])

  useEffect(() => {
    if (isLoaded && hasAnnounced) announce(messages.allLoaded)
  }, [isLoaded, hasAnnounced, announce])

  return (
    <>
      {!isLoaded && count > 0 && (
        <p className={styles.count}>
          {text}
          <span className={styles.wide}>{messages.loaded}</span>
        </p>
      )}
      {liveRegion}
    </>
  )
}
