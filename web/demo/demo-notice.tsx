import { useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { storeUser, useStoredUser } from '../auth/stored-user.tsx'
import { t } from '../language/translate.ts'
import { Button } from '../ui/button.tsx'
import styles from './demo-notice.module.css'
import type { Demo } from './open-demo.ts'

/** A line above each screen: what the demo page is, its entrance, and a switch for the colleague. */
export function DemoNotice({ demo }: { demo: Demo }) {
  const isSignedIn = useStoredUser() !== null
  return (
    <aside className={styles.notice}>
      <p>{t('This is a demo: everything stays in this tab and is gone when you close it.')}</p>
      {isSignedIn ? <ColleagueSwitch {...demo} /> : <Entrance {...demo} />}
    </aside>
  )
}

function Entrance({ enter }: Demo) {
  const navigate = useNavigate()

  async function open() {
    storeUser(await enter())
    await navigate('/form')
  }

  return (
    <Button variant="primary" onClick={open}>
      {t('Try it without an account')}
    </Button>
  )
}

function ColleagueSwitch({ colleague }: Demo) {
  const isWorking = useSyncExternalStore(colleague.subscribe, colleague.isWorking)
  return (
    <Button onClick={() => colleague.setWorking(!isWorking)}>
      {isWorking ? t('Stop the colleague') : t('Let a colleague work')}
    </Button>
  )
}
