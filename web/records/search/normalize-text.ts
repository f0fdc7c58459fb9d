/** Letters that carry their stroke or their tie in the letter itself, so that no normal form takes it off. */
const baseLetters: Record<string, string> = {
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
const strokeLetters = /[ÆŒØŁĐÐÞĦŦ]/g
const combiningMarks = /\p{M}/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII is
const nonAscii = /[^\x00-\x7f]/

/**
 * A text without regard to case, accents and width: what is typed on any keyboard finds the name as it is written.
 * Capitals, because they are the same wherever a letter stands (ς is Σ) and however it is written (ß is SS); and each
 * letter folds by itself, which is what lets a match be marked in the text as it is written.
 */
export function normalizeText(text: string): string {
  if (!nonAscii.test(text)) return text.toUpperCase()
  const withoutMarks = text.normalize('NFKD').replace(combiningMarks, '').toUpperCase()
  return withoutMarks.replace(strokeLetters, (letter) => baseLetters[letter] ?? letter)
}
