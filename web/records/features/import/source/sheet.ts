import { type Message, msg } from '../../../../language/translate.ts'

/** What has emails, in a form that no reader knows. */
export const unreadableList = msg('This list can’t be read. Save it as .xlsx or CSV and import that.')

/** A source that can't be read. The problem is shown to the user. */
export class SourceError extends Error {
  override name = 'SourceError'
  readonly problem: Message | ''
  constructor(problem: Message | '', options?: ErrorOptions) {
    super(problem && String(problem[1]), options)
    this.problem = problem
  }
}

/** A source that can be read with its password. The problem is empty before a wrong one was entered. */
export class LockedError extends SourceError {
  override name = 'LockedError'
}

export const createDamagedListError = () =>
  new SourceError(msg('This file is damaged or incomplete. Export the list as CSV and import that.'))

/** What to tell of an error while a source was read, such as memory that the browser did not give. */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  // Firefox calls a recursion that is too deep, and a text that is too long, an internal error.
  const isTooMuch = error instanceof RangeError || Object(error).name === 'InternalError'
  const problem = isTooMuch
    ? msg('There is not enough memory for this file. Split it into several, or use another computer.')
    : unreadableList
  return new SourceError(problem, { cause: error })
}

export const createLoadError = (cause?: unknown) =>
  new SourceError(msg('This part of the page didn’t load. Check your connection.'), { cause })

/** A part of the page that a reader needs. Rejects with a `SourceError` if it does not load. */
export const loadPart = <Part>(loading: Promise<Part>): Promise<Part> =>
  loading.catch((cause) => {
    throw createLoadError(cause)
  })

export interface SheetRow {
  /** 1-based row number in the file. The header and empty rows count. */
  number: number
  cells: string[]
  skipReason?: Message
  /** Why it can't be imported. */
  problem?: Message
  /** The columns whose cell is an error, or a formula that was never computed. Its text is empty. */
  failedColumns?: number[]
  /** The columns whose cell other computers may show in another form, such as a date. */
  localColumns?: number[]
}

export interface Sheet {
  /** The rows that are not empty, including the header. At most `maxBatchSize + 1`. */
  rows: SheetRow[]
  /** The file has more rows, which were dropped. */
  isTruncated: boolean
  /** A quotation mark is never closed, so all rows after it are part of one cell. */
  hasUnclosedQuote: boolean
  /** What else may be wrong with it. */
  doubts?: Message[]
}

/** The cells of a row beyond this number are not read: a row of a workbook may have its only cell in column 16,384. */
export const maxColumns = 256

export const columnsDoubt = msg('Columns beyond the 256th are not read.')

/** Asks about escapes of Microsoft's programs. */
export const codesDoubt = msg('Texts such as _x0041_ may stand for other characters. Check the passwords.')

/** Asks about backslashes that may stand for other characters. */
export const escapesDoubt = msg('Texts such as \\t may stand for other characters. Check the passwords.')
