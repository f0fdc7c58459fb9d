/** The letters of a 0-based column, as in a spreadsheet: A, B, …, Z, AA. */
export function getColumnLetters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? getColumnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}
