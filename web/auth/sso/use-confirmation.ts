import { useEffect, useState } from 'react'
import type { Confirmation } from '../../../contract/identity/sso.ts'
import type { IdentityService } from '../../backends/ports.ts'

/** How the signed-in account confirms an act where there is single sign-on. */
export interface OwnConfirmation extends Confirmation {
  provider: { name: string; only?: true }
}

/** Null until it is known, and for good where there is no single sign-on: the password is asked for. */
export function useConfirmation({ policy, sso }: Pick<IdentityService, 'policy' | 'sso'>) {
  const [confirmation, setConfirmation] = useState<OwnConfirmation | null>(null)
  useEffect(() => {
    const read = async () => {
      const provider = (await policy?.())?.sso
      if (provider && sso) setConfirmation({ ...(await sso.confirmation()), provider })
    }
    read().catch(() => {})
  }, [policy, sso])
  return confirmation
}
