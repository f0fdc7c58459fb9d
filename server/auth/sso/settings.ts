import { existsSync } from 'node:fs'
import { explainUnreadable, maxSecretBytes, readAtMost } from '../../storage/files.ts'

/** How people sign in as their company does: what the variables that begin with OIDC_ say. */
export interface SsoSettings {
  issuer: URL
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  /** What the button calls the provider. */
  name: string
  scopes: string
  /** Claims that somebody must have: one of the values of each name. */
  required: Map<string, string[]>
  /** Takes an email as verified if the provider does not say whether it is. */
  trustsEmail: boolean
  /** Whether everyone for whom the provider vouches gets an account. */
  admitsAll: boolean
  /** Switches passwords and passkeys off. */
  isOnly: boolean
  /** Where the provider sends browsers back to: the page. */
  redirectUri: string
}

/** What reads the environment and collects problems, see config.ts. */
interface Reader {
  read(name: string): string | undefined
  problems: string[]
}

const names = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET_FILE',
  'OIDC_NAME',
  'OIDC_SCOPES',
  'OIDC_REQUIRE',
  'OIDC_TRUST_EMAIL',
  'OIDC_SIGN_UP',
  'OIDC_ONLY',
]

const maxNameLength = 40

/** Returns undefined without OIDC_ISSUER. Reports each problem in a sentence, and what can't be meant. */
export function readSsoSettings(reader: Reader, publicUrl: URL | undefined): SsoSettings | undefined {
  const { read, problems } = reader
  const given = read('OIDC_ISSUER')
  if (given === undefined) {
    const lone = names.find((name) => read(name) !== undefined)
    if (lone) problems.push(`${lone} is set, but not OIDC_ISSUER, the address of the provider.`)
    return
  }
  const issuer = parseIssuer(given)
  if (!issuer)
    problems.push(
      `OIDC_ISSUER must be the https:// address of the provider, without a query, such as https://login.example.com/realms/staff; it is "${given}".`,
    )
  const clientId = read('OIDC_CLIENT_ID')
  if (clientId === undefined)
    problems.push('OIDC_CLIENT_ID must be set with OIDC_ISSUER: the provider shows it.')
  if (!publicUrl)
    problems.push('PUBLIC_URL must be set with OIDC_ISSUER: the provider sends browsers back there.')
  const ownName = read('OIDC_NAME')
  if (ownName !== undefined && (!/^\P{Cc}+$/u.test(ownName) || ownName.length > maxNameLength))
    problems.push(`OIDC_NAME must have at most ${maxNameLength} characters: a button shows it.`)
  const scopes = read('OIDC_SCOPES') ?? 'openid email'
  if (!scopes.split(/\s+/).includes('openid'))
    problems.push(`OIDC_SCOPES must include openid; it is "${scopes}".`)
  const readSwitch = (name: string) => {
    const text = read(name)
    if (text !== undefined && text !== 'yes')
      problems.push(`${name} must be yes, or not set; it is "${text}".`)
    return text === 'yes'
  }
  const settings = {
    clientSecret: readSecret(reader),
    name: ownName ?? issuer?.hostname ?? '',
    scopes,
    required: readRequired(reader),
    trustsEmail: readSwitch('OIDC_TRUST_EMAIL'),
    admitsAll: readSwitch('OIDC_SIGN_UP'),
    isOnly: readSwitch('OIDC_ONLY'),
    redirectUri: publicUrl ? `${publicUrl.origin}/signin` : '',
  }
  if (!issuer || clientId === undefined) return
  requireSense(issuer, settings, problems)
  return { issuer, clientId, ...settings }
}

function readSecret({ read, problems }: Reader): string | undefined {
  const [secret, file] = [read('OIDC_CLIENT_SECRET'), read('OIDC_CLIENT_SECRET_FILE')]
  if (file === undefined) return secret
  if (secret !== undefined) problems.push('Set OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE, not both.')
  if (!existsSync(file)) problems.push(`OIDC_CLIENT_SECRET_FILE: there is no file ${file}.`)
  else {
    try {
      const text = readAtMost(file, maxSecretBytes).toString().trim()
      if (text) return text
      problems.push(`OIDC_CLIENT_SECRET_FILE: ${file} is empty.`)
    } catch (error) {
      problems.push(explainUnreadable('OIDC_CLIENT_SECRET_FILE', error))
    }
  }
  return
}

/** `groups=staff,groups=admins,hd=example.com`: one of the groups, and the domain. `\,` is a comma of a value. */
function readRequired({ read, problems }: Reader): Map<string, string[]> {
  const required = new Map<string, string[]>()
  const text = read('OIDC_REQUIRE')
  for (const item of text === undefined ? [] : text.split(/(?<!\\),/)) {
    const [, name, value] = /^\s*([^=\s]+)=(.*\S)\s*$/.exec(item.replaceAll('\\,', ',')) ?? []
    if (name && value) required.set(name, [...(required.get(name) ?? []), value])
    else problems.push(`OIDC_REQUIRE must be like groups=staff,hd=example.com; it is "${text}".`)
  }
  return required
}

/** Refuses settings that would let in, or take for somebody else, whoever likes. */
function requireSense(
  issuer: URL,
  settings: Pick<SsoSettings, 'required' | 'admitsAll'>,
  problems: string[],
): void {
  if (isMultiTenant(issuer))
    problems.push(
      `OIDC_ISSUER must be that of your own tenant: in another one anybody can give themselves any email. It is "${issuer.href}".`,
    )
  if (settings.admitsAll && issuer.hostname === 'accounts.google.com' && settings.required.size === 0)
    problems.push(
      `OIDC_SIGN_UP=yes needs OIDC_REQUIRE, because everybody has an account at ${issuer.hostname}: for example hd=example.com.`,
    )
}

const multiTenants = ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad']

/** Entra's addresses that are of no company. */
function isMultiTenant({ hostname, pathname }: URL): boolean {
  const [, tenant = ''] = pathname.toLowerCase().split('/')
  return (
    /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net|login\.windows\.net)$/.test(
      hostname,
    ) && multiTenants.includes(tenant)
  )
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Whether the server may send secrets there: by HTTPS, or, if the issuer does too, on this machine. */
export function isSafeAddress(url: URL, issuer: URL): boolean {
  if (url.username || url.password) return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && isLoopback(url.hostname) && issuer.protocol === 'http:'
}

function parseIssuer(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && !url.search && !url.hash && !text.includes('/.well-known/') && isSafeAddress(url, url)
    ? url
    : undefined
}
