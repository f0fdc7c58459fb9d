/** Given names that stand behind the family name. */
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・\s]+$/u

/** Joins the halves of a name in the order of its script, whatever the order of their columns. */
export function joinName(given: string, family: string): string {
  const halves = eastAsian.test(given) ? [family, given] : [given, family]
  return halves.filter(Boolean).join(' ')
}
