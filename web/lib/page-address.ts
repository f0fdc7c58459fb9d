/** The address of the page at `/`, with a slash at the end. Only the demo page has a `<base>`, because it may be in a folder. */
export const pageAddress = (): string => document.querySelector('base')?.href ?? `${location.origin}/`
