import { useEffect, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Message, Text } from '../../../ui/message.tsx'
import { type Store, useAppStore } from '../../model/book/store.ts'
import { useHistory } from '../../model/history/history.ts'
import { openedOutboxes } from '../../model/outbox/use-outbox.ts'

/** The emails of those who have signed in to this page, by uid. */
const emails = new Map<string, string>()

/** Says whose unsaved changes only this tab still has: they were signed in before, and the browser asks before it closes the tab. */
export function KeptNotice() {
  const { uid, email } = useHistory()
  const store = useAppStore()
  const [kept, setKept] = useState<string[]>([])
  useEffect(() => {
    emails.set(uid, email)
    let isCurrent = true
    void listKept(store, uid).then((uids) => isCurrent && setKept(uids))
    return () => {
      isCurrent = false
    }
  }, [store, uid, email])
  return (
    <Message role="status">
      {kept.map((each) => (
        <Text key={each}>
          {t(
            'Unsaved changes of {email} wait in this tab. Keep it open until {email} signs in here again, or they are lost.',
            { email: isolate(emails.get(each) ?? '') },
          )}{' '}
        </Text>
      ))}
    </Message>
  )
}

/** The other users whose unsaved changes this page has, and nothing else. */
async function listKept(store: Store, uid: string): Promise<string[]> {
  const others = [...(openedOutboxes.get(store) ?? [])].filter(
    ([other]) => other !== uid && emails.has(other),
  )
  const outboxes = await Promise.all(others.map(([, outbox]) => outbox))
  return others.flatMap(([other], i) => {
    const outbox = outboxes[i]
    return outbox && !outbox.isEnded && !outbox.isDurable && outbox.countUnsaved() > 0 ? [other] : []
  })
}
