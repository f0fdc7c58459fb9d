type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'
>

const isLetter = (key: string) => /^\p{L}$/u.test(key)
const isLatin = (key: string) => /\p{Script=Latin}/u.test(key)

/** A key as `KeyboardEvent.key`, letters in lower case, and the Latin letter at this place on a keyboard without them. */
export function getShortcutKey({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  if (!isLetter(key)) return key
  return isLatin(key) || !code.startsWith('Key') ? key.toLowerCase() : code.slice(-1).toLowerCase()
}

/** Whether a key is pressed with another that gives it another meaning. Shift does not for characters that need it, such as ?. */
export function hasModifier(event: KeyPress): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  const needsShift = key.length === 1 && !isLetter(key)
  return ctrlKey || metaKey || altKey || event.getModifierState('AltGraph') || (shiftKey && !needsShift)
}

/** Whether a key is pressed with the one for commands, Ctrl or ⌘, alone. */
export const isCommandKey = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyPress) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey

/** Whether a key is for the input method. Safari sends the one that ends a composition after its end, with this code. */
export const isForComposition = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229
