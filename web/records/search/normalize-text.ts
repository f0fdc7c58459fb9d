/** Letters that carry their stroke or their tie in the letter itself, so that no normal form takes it off. */
const plain: Record<string, string> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
}
const strokes = /[ÆŒØŁĐÐÞĦŦ]/g
const accents = /\p{M}/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII is
const beyondAscii = /[^\x00-\x7f]/

/**
 * A text without regard to case, accents and width: what is typed on any keyboard finds the name as it is written.
 * Capitals, because they are the same wherever a letter stands (ς is Σ) and however it is written (ß is SS); and each
 * letter folds by itself, which is what lets a match be marked in the text as it is written.
 */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toUpperCase()
  const bare = text.normalize('NFKD').replace(accents, '').toUpperCase()
  return bare.replace(strokes, (letter) => plain[letter] ?? letter)
}
