import type { TeamService } from '../../backends/ports.ts'
import { seal, unseal } from '../../lib/seal.ts'

/** One line of a credential, as its link shows it. */
export interface CredentialLine {
  label: string
  value: string
  isSecret: boolean
}

/** The part of a link behind `#credential=`: the token, which the service knows, and the key, which it never has. */
const linkPattern = /^([\w-]{43})\.([\w-]{43})$/

/** Whether nothing of the link was cut off. */
export const isWholeLink = (secret: string) => linkPattern.test(secret)

/** Makes a link that shows a credential once. Returns the public id of the link too. */
export async function createCredentialLink(team: TeamService, record: string, lines: CredentialLine[]) {
  const { sealed, key } = await seal(JSON.stringify(lines))
  const { id, token } = await team.createHandover({ record, sealed })
  return { id, link: `${location.origin}/#credential=${token}.${key}` }
}

/** Uses up the link. Rejects as `takeHandover`. */
export async function openCredentialLink(team: TeamService, secret: string) {
  const [, token = '', key = ''] = linkPattern.exec(secret) ?? []
  const { sealed, by } = await team.takeHandover(token)
  return { lines: JSON.parse(await unseal(sealed, key)) as CredentialLine[], by }
}
