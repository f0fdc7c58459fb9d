import { useState } from 'react'
import type { SignedIn } from '../../../contract/accounts.ts'
import { describeTime } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { useView } from '../view.tsx'
import * as messages from './dialog-messages.ts'

interface ResetLinkNoticeProps {
  resetLink: NonNullable<SignedIn['resetLink']>
}

/** Tells, until it is dismissed, that a colleague has made a reset link for the account that has signed in. */
export function ResetLinkNotice({ resetLink }: ResetLinkNoticeProps) {
  const [isShown, setShown] = useState(true)
  const { focus } = useView()
  if (!isShown) return null

  function dismiss() {
    setShown(false)
    focus({ on: 'search' })
  }

  return (
    <>
      {messages.resetLinkMade(resetLink.by, describeTime(resetLink.at))}{' '}
      <Button onClick={dismiss}>{messages.gotIt}</Button>
    </>
  )
}
