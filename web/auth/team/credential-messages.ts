/** The messages of the page that an employee's link opens. Its reader has no account and may see the product once. */

export const title = 'Your Sign-In Details'
export const beforeShow =
  'A colleague has handed you a login. It is shown once: press Show when you are ready to save it.'
export const show = 'Show'
export const shown = (by: string) =>
  `From ${by}, for you alone. Save it now, for example in a password manager: this page can’t show it again.`
export const copied = (label: string) => `${label} copied.`
export const notCopied = 'Your browser blocked copying. Select the text and copy it by hand.'

export const unusableTitle = 'This Link No Longer Works'
export const unusable =
  'It was already used, or is no longer valid. Ask the colleague who sent it for a new one.'
export const openedByOther =
  'If you have not opened it yourself, tell them: someone else may have seen the password.'
export const incomplete =
  'Part of the link is missing. Copy the whole link into the address bar, or ask for it again.'
export const needsHttps =
  'This page can’t be opened safely over plain HTTP. Ask the colleague who sent the link for one that begins with https://.'
