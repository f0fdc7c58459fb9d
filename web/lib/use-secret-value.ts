import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Puts a secret into an input as its property alone. React mirrors a value into the markup's attribute, where a saved page
 * or an extension reads it although it looks masked; so the attribute goes before anything is painted. The value is
 * still handed to React as the `defaultValue`, because an input gets it at no cost before it stands in the page, while
 * each value set afterwards makes Chromium lay out the page: 40 rows, 40 layouts.
 */
export function useSecretValue(secret: string | undefined): SecretInput {
  const ref = useRef<HTMLInputElement>(null)
  // After every rendering: whatever changes about the input, React writes the attribute anew.
  useLayoutEffect(() => {
    const input = ref.current
    if (secret === undefined || !input) return
    const clear = () => input.removeAttribute('value')
    clear()
    // After an event of the input's own, React writes the attribute once more when all effects have run.
    queueMicrotask(clear)
    // Of an input that nobody has typed in, the attribute was the value.
    if (input.value !== secret) input.value = secret
  })
  return secret === undefined ? { ref } : { ref, defaultValue: secret }
}

export interface SecretInput {
  ref: RefObject<HTMLInputElement | null>
  defaultValue?: string
}
