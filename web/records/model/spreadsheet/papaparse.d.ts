/** The part of Papa Parse that is used. `@types/papaparse` would bring Node's types into the page. */
declare module 'papaparse' {
  const papaparse: {
    unparse(rows: readonly (readonly string[])[], config: { quotes: boolean; newline: string }): string
  }
  // biome-ignore lint/style/noDefaultExport: the package is a CommonJS module
  export default papaparse
}
