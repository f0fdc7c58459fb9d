import { useLayoutEffect, useRef } from 'react'

/**
 * Sets a secret as the `value` property of an input, without the attribute. React mirrors the value into the attribute,
 * where a saved page or an extension can read it, so the attribute is removed before the first paint. The secret is still
 * passed as `defaultValue`: setting it before the input is in the document costs nothing, while each `value` set later
 * forces a layout in Chromium (40 rows, 40 layouts).
 */
export function useSecretValue(secret: string | undefined) {
  const ref = useRef<HTMLInputElement>(null)
  const applied = useRef(secret)
  // After every render, because any change of the input makes React write the attribute again.
  useLayoutEffect(() => {
    const input = ref.current
    if (secret === undefined || !input) return
    const clear = () => input.removeAttribute('value')
    clear()
    // After an event on the input itself, React writes the attribute again once all effects have run. A disabled input gets no events.
    if (!input.disabled) queueMicrotask(clear)
    // Removing the attribute resets the value of an input that has not been edited. A password manager may have filled another
    // in without an event: it stays.
    if (input.value !== secret && (secret !== applied.current || input.value === '')) input.value = secret
    applied.current = secret
  })
  return secret === undefined ? { ref } : { ref, defaultValue: secret }
}

/** The value while it is masked: it does not tell how long the secret is, also to those who listen to the page. */
export const mask = '•'.repeat(10)

/** Sets a secret, while it is shown, as `useSecretValue` does; otherwise ten dots. Only for inputs that can't be edited. */
export const useMaskedValue = (secret: string, isShown: boolean) => useSecretValue(isShown ? secret : mask)
