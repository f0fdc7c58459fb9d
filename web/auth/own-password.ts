import { readStoredUser } from './stored-user.tsx'

/** A password of which nothing is kept that tells it quickly. */
export interface KnownPassword {
  uid: string
  /** Whether a text may be it. Hardly any other text is taken for it, because `matches` takes a quarter of a second. */
  resembles(text: string): boolean
  matches(text: string): Promise<boolean>
}

/** In the memory of this page only, until it is reloaded. */
let known: KnownPassword | undefined

export function keepOwnPassword(kept: KnownPassword): void {
  known = kept
}

export function forgetOwnPassword(): void {
  known = undefined
}

/** Whether a text may be the password of the signed-in account: `isOwnPassword` tells. */
export const mayBeOwnPassword = (text: string) =>
  known !== undefined && known.uid === readStoredUser()?.uid && known.resembles(text)

export const isOwnPassword = async (text: string): Promise<boolean> =>
  mayBeOwnPassword(text) && Boolean(await known?.matches(text))
