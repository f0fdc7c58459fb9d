import { toEmailKey } from './email.ts'

/** Who may make an account. Whoever has one reads every record, so this is the real access control. */
export type SignUpPolicy = { mode: 'open' | 'closed' } | { mode: 'domain'; domains: string[] }

const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/

/** Reads `open`, `closed` or `domain:example.com,example.org`; nothing where it is none of them. */
export function parseSignUpPolicy(text: string): SignUpPolicy | undefined {
  if (text === 'open' || text === 'closed') return { mode: text }
  if (!text.startsWith('domain:')) return
  const domains = text
    .slice('domain:'.length)
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
  return domains.every((domain) => domainPattern.test(domain)) ? { mode: 'domain', domains } : undefined
}

export function canSignUp(signUp: SignUpPolicy, email: string): boolean {
  if (signUp.mode !== 'domain') return signUp.mode === 'open'
  const key = toEmailKey(email)
  return signUp.domains.includes(key.slice(key.lastIndexOf('@') + 1))
}
