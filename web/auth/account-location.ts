import { useLocation } from 'react-router'

/** The state of a navigation to an account screen. */
export interface AccountLocationState {
  /** The email of an account that has just been created. */
  newAccount?: string
  /** The session has ended while the user was on /form; `email` is that user's. */
  ended?: boolean
  email?: string
  /** What has just happened to a link that sets a new password. */
  notice?: { text: string; isSuccess: boolean }
  /** The search part of the address of /form that the visitor came from, to return to. */
  search?: string
}

export function useAccountLocation(): AccountLocationState {
  return useLocation().state ?? {}
}
