/** The part of Papa Parse that is used. `@types/papaparse` would bring Node's types into the page. */
declare module 'papaparse' {
  interface ParseConfig {
    delimiter?: string
    delimitersToGuess?: string[]
    newline?: '\r\n' | '\n' | '\r'
    /** The number of rows to parse. */
    preview?: number
    skipEmptyLines?: 'greedy'
  }

  interface ParseResult<Row> {
    data: Row[]
    errors: { code: string }[]
    meta: { delimiter: string }
  }

  const papaparse: {
    parse<Row>(text: string, config: ParseConfig): ParseResult<Row>
    unparse(rows: readonly (readonly string[])[], config: { quotes: boolean; newline: string }): string
  }
  // biome-ignore lint/style/noDefaultExport: the package is a CommonJS module
  export default papaparse
}
