import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Sets a value as the property of an input, without the attribute. React mirrors the value into the attribute, where a saved page or
 * an extension can read it, so the attribute is removed before the first paint. The value is still passed as `defaultValue`: setting
 * it before the input is in the document costs nothing, while each `value` set later forces a layout in Chromium (40 rows, 40 layouts).
 *
 * What a program has filled in without an event stays until the value or the `subject` changes. Call `restore` after an event, which
 * may have changed nothing.
 */
export function useKeptValue(value: string, subject?: string, given?: RefObject<HTMLInputElement | null>) {
  const own = useRef<HTMLInputElement>(null)
  const ref = given ?? own
  const applied = useRef({ value, subject })
  // After every render, because any change of the input makes React write the attribute again.
  useLayoutEffect(() => {
    const input = ref.current
    if (!input) return
    const clear = () => input.removeAttribute('value')
    clear()
    // After an event on the input itself, React writes the attribute again once all effects have run. A disabled input gets no events.
    if (!input.disabled) queueMicrotask(clear)
    const isSame = value === applied.current.value && subject === applied.current.subject
    applied.current = { value, subject }
    // Removing the attribute resets the value of an input that has not been edited.
    if (!isSame || input.value === '') restore()
  })

  function restore() {
    const { current } = ref
    if (current && current.value !== applied.current.value) current.value = applied.current.value
  }
  return { props: { ref, defaultValue: value }, restore }
}

/** The value while it is masked: it does not tell how long the secret is, also to those who listen to the page. */
export const mask = '•'.repeat(10)

/** Sets a secret, while it is shown, as `useKeptValue` does; otherwise ten dots. Only for inputs that can't be edited. */
export const useMaskedValue = (secret: string, isShown: boolean) =>
  useKeptValue(isShown ? secret : mask).props
