import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { root } from './terminal.ts'

/** The chunks of the screens that a visit can begin with. */
export const chunkNames = { account: 'account-screens', form: 'records-page' }

const chunksOfScreens = new Map([
  [join(root, 'web/auth/sign-up-screen.tsx'), chunkNames.account],
  [join(root, 'web/auth/sign-in-screen.tsx'), chunkNames.account],
  [join(root, 'web/records/page/records-page.tsx'), chunkNames.form],
])

/**
 * The groups of Rolldown's `codeSplitting`. A first visit loads two chunks at the same time: `initial`, which has what any screen
 * needs, and that of its screen. A further chunk compresses worse, and is a round trip if it is not preloaded. Rolldown decides about
 * the other modules.
 */
export const firstChunks: Rolldown.CodeSplittingGroup[] = [
  // A group takes along what its modules import, so the shared modules come first.
  { name: (...module) => (findChunk(...module) === 'initial' ? 'initial' : null), priority: 1 },
  { name: findChunk },
]

/** Returns the name of the chunk that contains a module of a first screen, else null. */
function findChunk(id: string, context: Rolldown.ChunkingContext): string | null {
  const names = new Set<string>()
  const seen = new Set<string>()
  function visit(module: string) {
    if (seen.has(module)) return
    seen.add(module)
    const info = context.getModuleInfo(module)
    const name = info?.isEntry ? 'initial' : chunksOfScreens.get(module)
    if (name) names.add(name)
    info?.importers.forEach(visit)
  }
  visit(id)
  const [name = null] = names
  return names.size > 1 ? 'initial' : name
}

/** Lists the chunks of the screens in the page, for web/inline/first-paint.js. */
export const listScreens: Plugin = {
  name: 'list-screens',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const files = Object.values(chunkNames).map(
        (name) => chunks.find((chunk) => chunk.name === name)?.fileName,
      )
      return html.replace('__SCREENS__', files.map((file) => (file ? `/${file}` : '')).join(' '))
    },
  },
}
