import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { root } from '../../scripts/terminal.ts'

/** Bytes after gzip: `first` is what opening the register loads, `all` every part there is. */
export async function measureSizes(web: string) {
  const [page, baseline] = [await outputOf(web), await outputOf(join(root, 'bench/page/baseline'))]
  return {
    baseline: sum(chunksOf(baseline)),
    first: sum(loadedFirst(chunksOf(page))),
    all: sum(chunksOf(page)),
    css: page
      .filter((file) => file.fileName.endsWith('.css'))
      .reduce((bytes, file) => bytes + zipped('source' in file ? file.source : ''), 0),
  }
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset

/** Builds a page with the product's own settings, without writing it anywhere. */
export async function outputOf(page: string): Promise<Output[]> {
  const built = await build({
    root: page,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  })
  if (!('output' in built)) throw new Error(`${page} was not built once.`)
  return built.output
}

export function chunksOf(output: Output[]): Rolldown.OutputChunk[] {
  return output.filter((file) => file.type === 'chunk')
}

/** The entry and what it imports, but for what it imports only when it is wanted. */
export function loadedFirst(chunks: Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const found = new Set(chunks.filter((chunk) => chunk.isEntry))
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported) found.add(imported)
    }
  }
  return [...found]
}

export function sum(chunks: Rolldown.OutputChunk[]): number {
  return chunks.reduce((bytes, { code }) => bytes + zipped(code), 0)
}

function zipped(source: string | Uint8Array): number {
  return gzipSync(source, { level: 9 }).length
}
