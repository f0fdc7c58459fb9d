import { useEffect } from 'react'
import { t } from '../../language/translate.ts'
import { watchForNewBuild } from '../../lib/new-build.ts'
import { keepPresses } from '../../lib/presses/keep-presses.ts'
import { useToast } from '../../ui/toast.tsx'
import type { RecordList } from '../model/book/sync-employees.ts'
import { useDecodedEmails } from '../model/book/use-decoded-emails.ts'
import { useHistory } from '../model/history/history.ts'
import type { Entry } from '../model/outbox/entry.ts'
import { Tooltips } from '../register/tooltips.tsx'
import { NewsNotice } from './notices/news-notice.tsx'
import { usePageTitle } from './use-page-title.ts'
import { useUndoInFields } from './use-undo-in-fields.ts'

/** What need not be there with the first rows, and is loaded in one chunk after them. */
export function IdleParts() {
  const { service } = useHistory()
  useNewBuild()
  useEffect(keepPresses, [])
  return (
    <>
      <Tooltips />
      {service && <NewsNotice service={service} />}
    </>
  )
}

interface IdleHooksProps {
  list: RecordList
  entries: readonly Entry[]
  onUndo: (() => void) | null
}

/** What the page does beside showing the records: its title, emails as people write them, undo in empty fields. Renders nothing. */
export function IdleHooks({ list, entries, onUndo }: IdleHooksProps) {
  usePageTitle(list, entries)
  useDecodedEmails()
  useUndoInFields(onUndo)
  return null
}

function useNewBuild() {
  const showToast = useToast()
  useEffect(() => {
    // What has been typed survives it.
    const reload = { label: t('Reload'), onPress: () => location.reload(), isSticky: true }
    return watchForNewBuild(() => showToast(t('A new version is ready.'), reload))
  }, [showToast])
}
