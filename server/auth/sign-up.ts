/** Who may create an account. Every account can read every record, so this is the access control of the product. */
export type SignUpPolicy = { mode: 'open' | 'invited' | 'closed' } | { mode: 'domain'; domains: string[] }

const domainPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/

/** Parses `open`, `invited`, `closed` or `domain:example.com,example.org`; returns undefined for anything else. */
export function parseSignUpPolicy(text: string): SignUpPolicy | undefined {
  if (text === 'open' || text === 'invited' || text === 'closed') return { mode: text }
  if (!text.startsWith('domain:')) return
  const domains = text
    .slice('domain:'.length)
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
  return domains.every((domain) => domainPattern.test(domain)) ? { mode: 'domain', domains } : undefined
}
