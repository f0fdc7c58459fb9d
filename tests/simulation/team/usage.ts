import type { Tab } from '../browser/browser.ts'
import type { Team } from './team.ts'

const kinds = ['timers', 'locks', 'listeners', 'channels', 'requests', 'queues'] as const
type Usage = Record<(typeof kinds)[number], number>

/** What a page holds. `role`: pages with the same one hold the same at rest. */
interface PageUsage {
  name: string
  role: string
  usage: Usage
}

/** A tab that has taken the stream over from another one waits for its lock too. */
const allowance: Partial<Usage> = { locks: 1 }

const sampleCount = 8
const sampleIntervalMs = 700

/** What each page holds at rest: the least in some seconds, in which it may ask the server for a moment. */
export async function measureUsage({ people, clock }: Team): Promise<PageUsage[]> {
  const least = new Map<Tab, PageUsage>()
  for (let i = 0; i < sampleCount; i++) {
    await clock.advance(sampleIntervalMs)
    for (const tab of people.flatMap(({ browser }) => browser.tabs)) {
      // It still tries to store that.
      if (tab.page?.keptIds().length) continue
      const usage = countUsage(tab)
      const before = least.get(tab)?.usage ?? usage
      for (const kind of kinds) usage[kind] = Math.min(usage[kind], before[kind])
      least.set(tab, { name: tab.name, role: describeRole(tab), usage })
    }
  }
  return [...least.values()]
}

function countUsage(tab: Tab): Usage {
  const { owner, page, browser, requestCount } = tab
  const { locks, channels, options } = browser
  return {
    timers: owner ? options.clock.countTasks(owner) : 0,
    locks: owner ? locks.count(owner) : 0,
    listeners: tab.countListeners(),
    channels: owner ? channels.count(owner) : 0,
    requests: requestCount,
    queues: page?.countQueues() ?? 0,
  }
}

const describeRole = ({ owner, browser }: Tab) =>
  owner && browser.locks.isHolding(owner, /^staffbook-changes/) ? 'leads the stream' : 'follows'

/** What pages hold that pages which have just been loaded do not. */
export function findLeaks(pages: readonly PageUsage[], fresh: readonly PageUsage[]): string[] {
  return pages.flatMap(({ name, role, usage }) => {
    const alike = fresh.filter((page) => page.role === role)
    if (alike.length === 0) return []
    return kinds.flatMap((kind) => {
      const most = Math.max(...alike.map((page) => page.usage[kind])) + (allowance[kind] ?? 0)
      return usage[kind] > most
        ? [`${name} ${role}, and has ${usage[kind]} ${kind}; a page that was just loaded has ${most}`]
        : []
    })
  })
}
