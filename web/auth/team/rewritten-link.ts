import type { LinkContent, LinkName } from '../link-address.ts'

const namePattern = /([#?&/])\s*(invite|reset|credential)\s*(?=[=:]|$)/i

/** 32 bytes in base64url, and behind a dot the key of a credential. */
const wholePatterns: Record<LinkName, RegExp> = {
  invite: /^[\w-]{43}(?![\w-])/,
  reset: /^[\w-]{43}(?![\w-])/,
  credential: /^[\w-]{43}\.[\w-]{43}(?![\w-])/,
}

/** Whether nothing of the link was cut off. */
export const isWholeLink = ({ name, value }: LinkContent) =>
  wholePatterns[name].exec(value)?.[0].length === value.length

/**
 * Reads the one-time link of an address (path, search and fragment), as mail and chat programs rewrite it: encoded once or
 * several times, also its `#` and `=`, in quoted-printable, as HTML, wrapped, with invisible characters, followed by punctuation or by
 * parameters. Returns null if the address has none.
 */
export function readRewrittenLink(address: string): LinkContent | null {
  const text = decodeFully(address).replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  const found = namePattern.exec(text)
  if (!found) return null
  const name = found[2]?.toLowerCase() as LinkName
  const [rest = ''] = text.slice(found.index + found[0].length).split(/[&"'<>()[\]{}|]/)
  const link = { name, value: readValue(name, rest) }
  // Another address may have such a word by chance.
  return found[1] === '#' || isWholeLink(link) ? link : null
}

/** Prefers the readings that make a whole link. */
function readValue(name: LinkName, rest: string): string {
  const joined = rest.replaceAll(/\s+/g, '')
  const readings = [rest, joined, joined.replaceAll('=', '')].flatMap((text) => [
    text.replace(/^[=:\s]+/, ''),
    text.replace(/^[=:\s]*3D/i, ''),
  ])
  const whole = readings.flatMap((text) => wholePatterns[name].exec(text)?.[0] ?? [])
  return whole[0] ?? /^[\w.-]*[\w-]/.exec(readings[0] ?? '')?.[0] ?? ''
}

/** Links are at most encoded by a mail program, by a scanner of links and by a chat. */
const maxEncodings = 4

/** Decodes each valid escape, repeatedly, also beside invalid ones. */
function decodeFully(text: string): string {
  let decoded = text
  for (let i = 0; i < maxEncodings; i++)
    decoded = decodeHtml(decoded.replaceAll(/(?:%[\da-f]{2})+/gi, decodeOrKeep))
  return decoded
}

const htmlNames: Record<string, string> = { amp: '&', equals: '=', num: '#', period: '.' }

/** The plain text of a mail may be written as its HTML: `#invite&#x3D;…`. */
const decodeHtml = (text: string) =>
  text.replaceAll(/&(?:#x0*([\da-f]{2})|#0*(\d{2,3})|(amp|equals|num|period));/gi, (_, hex, decimal, name) =>
    name
      ? (htmlNames[name.toLowerCase()] ?? '')
      : String.fromCharCode(hex ? Number.parseInt(hex, 16) : decimal),
  )

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent)
  }
}
