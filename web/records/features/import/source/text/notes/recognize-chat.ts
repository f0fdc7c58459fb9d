import { type Message, msg } from '../../../../../../language/translate.ts'
import { splitLines } from '../split-lines.ts'

const chat = msg(
  'This is a chat or a log, not a list. Copy the names, emails and passwords only, one person on each line.',
)

const time = '\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s?[AP]\\.?M\\.?)?'
const date = '\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4}'

const marks = [
  // A time before what somebody has written, or before a name.
  new RegExp(`^\\[(?:${date},? )?${time}(?:,? ${date})?\\] \\S`, 'i'),
  new RegExp(`^${date},? ${time} - \\S`, 'i'),
  // A name, and when.
  new RegExp(`^[^,;|@\\t:]{2,60}(?:\\s|—|, )(?:${date} |\\p{L}+ (?:at|um|à|a las|às|om) )?${time}$`, 'iu'),
  // Lines of a log.
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)? \S/,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S/,
  /^[\da-f.:]{3,45} \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d /,
]

/** How many lines tell what a text is. */
const maxLines = 200

/** Says that a text is a chat or a log, of which each message tells its time; undefined if it may be a list. */
export function recognizeChat(text: string): Message | undefined {
  if (text.includes('\t')) return undefined
  const lines = splitLines(text.slice(0, 50_000))
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, maxLines)
  const counts = marks.map((mark) => lines.filter((line) => mark.test(line)).length)
  const most = Math.max(...counts)
  return most > 1 && most >= lines.length / 4 && marks.some((mark) => mark.test(lines[0] ?? ''))
    ? chat
    : undefined
}
