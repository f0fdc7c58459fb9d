const scriptsWithCapitals = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Armenian}/u]

/** The position of its script; -1 of one without capitals. */
const findScript = (letter = '') => scriptsWithCapitals.findIndex((script) => script.test(letter))

/**
 * The first letters of the first and the last word, each with up to three accents; one letter in a script without capitals, and if
 * the words are in different scripts.
 */
export function getInitials(name: string): string {
  const words = name.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word) => word?.match(/^\p{L}\p{M}{0,3}/u)?.[0],
  )
  const [first = '', last] = letters
  const isOneScript = last === undefined || findScript(first) === findScript(last)
  const initials = (isOneScript ? letters.join('') : first).toLocaleUpperCase()
  return /\p{Lu}/u.test(initials) ? initials : first
}

/** One of 8 colors, which a record keeps. The style sheet has them: style attributes would make scrolling a tenth slower. */
export function getColor(id: string): number {
  let hash = 0
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) % 1_000_003
  return (hash * 3) % 8
}
