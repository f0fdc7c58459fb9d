import type { ReactNode } from 'react'
import type { IdentityService, SsoService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/message.tsx'
import { leaveFor } from './intent.ts'
import type { OwnConfirmation } from './use-confirmation.ts'

interface OwnProofProps {
  confirmation: OwnConfirmation | null
  identity: IdentityService
  /** The part of the address of /form that opens the dialog again. */
  dialog: string
  run(action: () => Promise<void>): Promise<unknown>
  /** The field for the own password. */
  children: ReactNode
}

/** The field for the own password, or, for somebody who has none, a button that asks the provider and leads back to the dialog. */
export function OwnProof({ confirmation, identity: { sso }, dialog, run, children }: OwnProofProps) {
  if (confirmation?.by !== 'sso' || !sso) return children
  if (confirmation.confirmed) return <p>{t('You’ve just confirmed that it’s you.')}</p>
  return (
    <p>
      <Button variant="primary" autoFocus onClick={() => void run(() => confirm(sso, dialog))}>
        <Text>{t('Confirm with {name}', { name: isolate(confirmation.provider.name) })}</Text>
      </Button>
    </p>
  )
}

const confirm = async (sso: SsoService, dialog: string) =>
  leaveFor(await sso.beginConfirmation(), { confirming: { search: location.search, dialog } })

/** Whether the form can be sent: otherwise the provider comes first. */
export const canSubmit = (confirmation: OwnConfirmation | null) =>
  confirmation?.by !== 'sso' || confirmation.confirmed

export function ConnectedNote({ confirmation }: Pick<OwnProofProps, 'confirmation'>) {
  if (!confirmation?.connected) return null
  return (
    <p>
      <Text>{t('You sign in with {name}.', { name: isolate(confirmation.provider.name) })}</Text>
    </p>
  )
}
