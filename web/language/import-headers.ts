/** The headers that an import knows, as the file of each language lists them, by what their column contains. See scripts/catalogs.ts. */
export const catalogHeaders = Object.values(
  import.meta.glob<Readonly<Partial<Record<string, string[]>>>>('./catalogs/*.json', {
    query: '?headers',
    import: 'default',
    eager: true,
  }),
)
