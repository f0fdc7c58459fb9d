import { tabStorage } from '../../lib/stored-state.ts'
import type { AccountLocationState } from '../account-location.ts'

/** The session storage key of what this tab asks the provider for, while it is there. */
const intentKey = 'sso'

/** Where a visitor goes on when the provider has sent them back. `dialog`: what they confirm there, as a part of the address. */
export interface SsoIntent {
  account?: AccountLocationState
  confirming?: { search: string; dialog: string }
}

/** Goes to the provider. Resolves only if the browser has not left after some seconds, for example because somebody has stopped it. */
export async function leaveFor(address: string, intent: SsoIntent): Promise<void> {
  tabStorage.write(intentKey, JSON.stringify(intent))
  location.assign(address)
  await new Promise((resolve) => setTimeout(resolve, stayMs))
}

const stayMs = 10_000

/** Returns what this tab has asked for, once. */
export function takeIntent(): SsoIntent {
  const text = tabStorage.read(intentKey)
  tabStorage.write(intentKey, null)
  return JSON.parse(text ?? '{}')
}
