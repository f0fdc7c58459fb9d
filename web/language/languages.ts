/** As the file of each language describes it: see scripts/catalogs.ts. */
const names = import.meta.glob<string>('./catalogs/*.json', {
  query: '?name',
  import: 'default',
  eager: true,
})

const tagOf = (path: string) => path.slice('./catalogs/'.length, -'.json'.length)

/** The languages of the page, by their tags such as `pt-BR`, each named in itself. */
export const languageNames: Readonly<Record<string, string>> = {
  en: 'English',
  ...Object.fromEntries(Object.entries(names).map(([path, name]) => [tagOf(path), name])),
}
