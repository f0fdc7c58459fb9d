/**
 * The first letters of the first and the last word of a name, each with up to three accents; in a script without capitals one
 * letter; empty without letters.
 */
export function getInitials(name: string): string {
  const words = name.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word) => word?.match(/^\p{L}\p{M}{0,3}/u)?.[0],
  )
  const initials = letters.join('').toLocaleUpperCase()
  return /\p{Lu}/u.test(initials) ? initials : (letters[0] ?? '')
}

/**
 * One of 8 colors, which a record keeps; similar ids get different ones. The style sheet has them, because a style attribute in
 * each row would make scrolling a tenth slower.
 */
export function getColor(id: string): number {
  let hash = 0
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) % 1_000_003
  return (hash * 3) % 8
}
