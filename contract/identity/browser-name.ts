/** Each browser also claims to be those below it. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
]

const systems: typeof browsers = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** In characters. Longer headers are of no browser. */
const maxUserAgentLength = 400

/**
 * Returns "Firefox on Linux" for a User-Agent header, made of the names above only; undefined if it is of no browser or system
 * among them.
 */
export function nameBrowser(userAgent = ''): string | undefined {
  if (!userAgent.startsWith('Mozilla/5.0 (') || userAgent.length > maxUserAgentLength) return
  const [browser, system] = [browsers, systems].map((names) =>
    names.find(([, pattern]) => pattern.test(userAgent)),
  )
  return browser && system && `${browser[0]} on ${system[0]}`
}
