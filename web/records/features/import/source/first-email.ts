import { isEmail, parseEmail } from '../../../../../contract/employees.ts'
import { decodeMimeWords } from './encodings/mime.ts'

/** The first email in a cell with one or several and nothing else, the name with it, and how many there are; 0 if it has other text. */
export function parseFirstEmail(cell: string): { email: string; name: string; count: number } {
  const { name, ...rest } = findFirstEmail(cell)
  return { ...rest, name: decodeMimeWords(name) }
}

/** Whether a cell has an email, or several and nothing else. */
export const isEmailCell = (cell: string): boolean => findFirstEmail(cell).count > 0

function findFirstEmail(cell: string) {
  const whole = parseEmail(cell)
  if (isEmail(whole.email)) return { ...whole, count: 1 }
  // A long text is no list of emails.
  if (cell.length > maxLength || !/@.*@/s.test(cell)) return { ...whole, count: 0 }
  for (const separator of [/[;\n]/, /[,;\n]/, / ::: /, /[\s,;/|]/]) {
    const emails = cell.split(separator).filter((part) => part.trim() !== '')
    const parsed = emails.map(parseEmail)
    const [first] = parsed
    if (first && parsed.length > 1 && parsed.every(({ email }) => isEmail(email)))
      return { ...first, count: parsed.length }
  }
  return { ...whole, count: 0 }
}

const maxLength = 2_000
