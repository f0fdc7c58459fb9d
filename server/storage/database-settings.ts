/**
 * Returns a URL for each host of DATABASE_URL, which is `postgres://user:password@host:5432,other:5433/database`. Throws if
 * it has another form.
 */
export function parseDatabaseUrl(text: string): string[] {
  const [, scheme, authority = '', rest] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? []
  const hostsAt = authority.lastIndexOf('@') + 1
  return authority
    .slice(hostsAt)
    .split(',')
    .map((host) => normalize(new URL(`${scheme}${authority.slice(0, hostsAt)}${host}${rest}`)))
}

/**
 * The driver verifies certificates in these modes too, but prints a warning. It does not know `target_session_attrs`: of
 * several hosts, `connect` chooses the first that can write.
 */
function normalize(url: URL): string {
  const { searchParams } = url
  const mode = searchParams.get('sslmode') ?? ''
  if (/^(prefer|require|verify-ca)$/.test(mode) && !searchParams.has('uselibpqcompat'))
    searchParams.set('sslmode', 'verify-full')
  searchParams.delete('target_session_attrs')
  return url.href
}

/** What the operator says about the database. */
export interface DurabilityOptions {
  /** Settings that may be off, such as `full_page_writes` where the storage writes whole pages. */
  allowedOff?: readonly string[]
  /** After a failure of the primary only a synchronous standby is promoted, so that no confirmed commit is lost. */
  hasSynchronousStandby?: boolean
}

export const durabilityReasons: Record<string, string> = {
  fsync: 'a power cut can lose or destroy everything',
  full_page_writes: 'a power cut can leave half-written pages',
}

export const durabilitySettings = Object.keys(durabilityReasons)
