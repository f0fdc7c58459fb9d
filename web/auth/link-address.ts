/** The one-time links: an invitation, a new password, a credential. */
export type LinkName = 'invite' | 'reset' | 'credential'

/** What a one-time link contains. The value is '' or shortened if a program has cut the link. */
export interface LinkContent {
  name: LinkName
  value: string
}

/** Reads the fragment of an address with a one-time link: `#invite=…`. Returns null if it has none. */
export function readLink(hash: string): LinkContent | null {
  const [, name, value = ''] = /^#(invite|reset|credential)=(.*)$/.exec(hash) ?? []
  return name === undefined ? null : { name: name as LinkName, value }
}

const wholeLinks = [
  /^\/(\?[^#]*)?#invite=[\w-]{43}$/,
  /^\/(\?[^#]*)?#credential=[\w-]{43}\.[\w-]{43}$/,
  /^\/signin(\?[^#]*)?#reset=[\w-]{43}$/,
]

/**
 * Whether an address (path, search and fragment) may have a one-time link that a program has rewritten or cut, so that
 * `LinkReader` must read it. Addresses of /form have none: their search is text of the user.
 */
export const mayHaveRewrittenLink = (address: string): boolean =>
  /invite|reset|credential|%/i.test(address) &&
  ![/^\/form(?![^?#])/, ...wholeLinks].some((pattern) => pattern.test(address))
