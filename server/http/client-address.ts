import { isIPv6 } from 'node:net'

/**
 * Returns the part of an IP address that usually belongs to one client: the IPv4 address, or the /64 prefix of an IPv6
 * address. Accepts the forms that proxies write to X-Forwarded-For: with port, in brackets, IPv4 as mapped IPv6.
 */
export function toClientAddress(text: string): string {
  const bare = /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const [ip = ''] = bare.split('%')
  if (!isIPv6(ip)) return ip
  const groups = toGroups(ip)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.slice(0, 4).join(':')
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((pair) => `${pair >> 8}.${pair & 255}`)
    .join('.')
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function toGroups(ip: string): string[] {
  // Writes the address in its shortest form, and all of it in hexadecimal.
  const shortest = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [front = [], back = []] = shortest.split('::').map((part) => (part ? part.split(':') : []))
  return [...front, ...Array(8 - front.length - back.length).fill('0'), ...back]
}
