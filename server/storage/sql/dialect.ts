/** How a database says what the SQL of commands says, see `Command`. */
export interface Dialect {
  /** The placeholder of the parameter with this number, from 1. */
  toParameter(number: number): string
  /** What follows an expression to say that it is in the list of this parameter. */
  toAnyOf(parameter: string): string
  /**
   * SQL: the last column is between the last two parameters, or equals one, and each of the others equals its parameter. The columns
   * are those of an index, in which the database finds them.
   */
  toRange(columns: string[], parameters: string[]): string
  hasRowLocks: boolean
  /** The function that returns the largest of its arguments. */
  greatest: string
  /** SQL: milliseconds since 1970. */
  now: string
  /** SQL: the revision of the register. */
  latestRevision: string
}

/** Functions that both databases have, with the same arguments and results. `max`, `min` and `sum` only of one column. */
const sharedFunctions = new Set([
  'cast',
  'coalesce',
  'count',
  'max',
  'min',
  'octet_length',
  'string_agg',
  'sum',
])

/** Words that a bracket may follow, and that are no functions. */
const keywords = new Set(
  'and as by case conflict exists from in join not on or over select set then using values when where'.split(
    ' ',
  ),
)

const tokens = new RegExp(
  [
    `(?<quoted>'(?:[^']|'')*'|"[^"]*")`,
    String.raw`(?<anyOf>= ANY \(\?\))`,
    String.raw`\bRANGE \((?<columns>\w+(?:, \w+)*)\) OF \((?<range>\?(?:, \?)*)\)`,
    String.raw`(?<lock>\s+FOR (?:NO KEY UPDATE|KEY SHARE|UPDATE SKIP LOCKED|UPDATE|SHARE)\b)`,
    String.raw`(?<parameter>\?)`,
    // The columns of a table, which may be quoted, or of an alias.
    String.raw`(?<listed>\b(?:INTO|AS)\s+\w+\s*\()`,
    String.raw`(?<call>\b(?<name>[a-zA-Z_]\w*)\s*\()(?<end>\))?`,
  ].join('|'),
  'g',
)

/**
 * Translates the SQL of a command. Throws if it calls a function that is not known to mean the same in both databases: one of them
 * would refuse it, or return something else, only when the command runs.
 */
export function translateSql(sql: string, dialect: Dialect): string {
  let parameters = 0
  return sql.trim().replace(tokens, (text, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    const { anyOf, columns, range, lock, parameter, call, name, end = '' } = groups
    const addParameter = () => dialect.toParameter(++parameters)
    if (parameter) return addParameter()
    if (anyOf) return dialect.toAnyOf(addParameter())
    if (columns && range) return dialect.toRange(columns.split(', '), range.split(', ').map(addParameter))
    if (lock) return dialect.hasRowLocks ? text : ''
    if (!call || !name) return text
    if (name === 'greatest') return `${dialect.greatest}(${end}`
    if (end && name === 'now_ms') return dialect.now
    if (end && name === 'latest_revision') return dialect.latestRevision
    if (sharedFunctions.has(name.toLowerCase()) || keywords.has(name.toLowerCase())) return text
    throw new Error(
      `The function ${name} is not one that both databases have, see server/storage/sql/dialect.ts: ${sql}`,
    )
  })
}
