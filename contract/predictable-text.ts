const keyboardRows = [
  '1234567890',
  '!@#$%^&*()',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
]
const rowsInBothDirections = keyboardRows.flatMap((row) => [row, [...row].reverse().join('')])

/**
 * Counts the characters of a text that do not follow from those before them: a run of neighbouring letters, digits or keys
 * counts as one, and a repeated piece only once.
 */
export function countUnpredictable(text: string): number {
  let count = 0
  for (let rest = text.toLowerCase(); rest !== ''; ) {
    const [repeats = '', piece = ''] = /^(.+?)\1+/su.exec(rest) ?? []
    const runLength = countRun(rest)
    if (repeats.length > Math.max(2, runLength)) {
      count += countUnpredictable(piece)
      rest = rest.slice(repeats.length)
    } else {
      count += 1
      rest = rest.slice(runLength > 2 ? runLength : 1)
    }
  }
  return count
}

/** The number of characters at the start of a text that are neighbours in one direction. */
function countRun(text: string): number {
  const inRows = rowsInBothDirections.map((row) => countCommon(text, row.slice(row.indexOf(text.charAt(0)))))
  return Math.max(countSteps(text, 1), countSteps(text, -1), ...inRows)
}

function countSteps(text: string, step: number): number {
  let length = 1
  while (text.charCodeAt(length) - text.charCodeAt(length - 1) === step) length++
  return length
}

function countCommon(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
