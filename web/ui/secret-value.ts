import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Puts a secret into an input as its property alone. React mirrors the prop `value` into the markup's attribute, where a
 * saved page or an extension reads it although it looks masked.
 */
export function useSecretValue(secret: string | undefined): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (secret !== undefined && input.current && input.current.value !== secret) input.current.value = secret
  }, [secret])
  return input
}
