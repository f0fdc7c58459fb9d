export const product = 'Staffbook'
export const pageTitle = (title: string) => `${title} · ${product}`

export const close = 'Close'
export const loading = 'Loading…'
export const tryAgain = 'Try again'
export const reload = 'Reload'
export const storageBlocked =
  'Your browser blocks cookies and site data for this page. Allow them in the browser’s settings, then reload.'
export const pageFailed = 'The page stopped because of an error.'
export const pageFailedKept = `${pageFailed} Your unsaved changes are kept.`
export const loadFailed = 'This part of the page didn’t load. Check your connection or reload.'

export const link = 'Link'
export const copyLink = 'Copy link'
export const linkNotCopied = 'Select the link and copy it by hand.'

export const showPassword = 'Show password'
/** Before a value's name, for example "password of Ada". */
export const show = (label: string) => `Show ${label}`
export const copy = (label: string) => `Copy ${label}`

export const theme = 'Theme'
export const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const
