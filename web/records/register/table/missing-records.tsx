import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../../../language/translate.ts'
import { listen } from '../../../lib/dom.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { Text } from '../../../ui/message.tsx'
import styles from './placeholders.module.css'

/** For how long a press shows that it has done something, in ms: an attempt without a network fails at once. */
const shownRetryMs = 800

/** Shown in place of the rows while they can't be loaded: says why not, what happens next, and tries again at once. */
export function MissingRecords() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const { liveRegion, announce } = useLiveRegion()
  const { isBusy, run } = useAction(() => '')
  const title = t('The records can’t be loaded right now')
  const reason = isOnline
    ? t('The page tries again every few seconds, and shows them as soon as it can.')
    : t('They aren’t kept on this device, and appear when you’re back online.')
  useEffect(() => {
    if (!isBusy) announce(reason)
  }, [reason, isBusy, announce])
  return (
    <div className={styles.empty}>
      <p className={styles.title}>
        <Text>{title}</Text>
      </p>
      <p>
        <Text>{reason}</Text>
      </p>
      <Button isBusy={isBusy} onClick={() => void run(retry)}>
        {t('Try again')}
      </Button>
      {liveRegion}
    </div>
  )
}

const subscribe = (onChange: () => void) => listen(window, 'online offline', onChange)

/** Starts what waits for the network, as if it had come back: also parts of the page that could not be loaded. */
async function retry() {
  dispatchEvent(new Event('online'))
  await new Promise((resolve) => setTimeout(resolve, shownRetryMs))
}
