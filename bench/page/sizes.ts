import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { root } from '../../scripts/terminal.ts'

export interface PageSizes {
  /** JavaScript until /signin is usable: the entry chunk and its static imports. */
  signIn: number
  /** JavaScript until /form is usable: the same and the chunk of /form. */
  form: number
  /** JavaScript of all chunks. */
  all: number
  css: number
}

/** Builds the page without writing it anywhere, and returns its sizes in bytes after gzip. */
export async function measureSizes(): Promise<PageSizes> {
  const result = await build({
    root: join(root, 'web'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  })
  if (!('output' in result)) throw new Error('Vite returned no build output.')
  const chunks = result.output.filter((file) => file.type === 'chunk')
  const assets = result.output.filter((file) => file.type === 'asset')
  const entry = findChunk(chunks, ({ isEntry }) => isEntry)
  const form = findChunk(chunks, ({ name }) => name === 'records-page')
  return {
    signIn: totalGzipSize(withStaticImports(chunks, [entry])),
    form: totalGzipSize(withStaticImports(chunks, [entry, form])),
    all: totalGzipSize(chunks),
    css: assets
      .filter(({ fileName }) => fileName.endsWith('.css'))
      .reduce((bytes, { source }) => bytes + gzipSize(source), 0),
  }
}

type Chunk = Rolldown.OutputChunk

function findChunk(chunks: Chunk[], matches: (chunk: Chunk) => boolean): Chunk {
  const found = chunks.find(matches)
  if (!found) throw new Error('The build has no such chunk.')
  return found
}

/** The chunks and all they import statically, each once. */
function withStaticImports(chunks: Chunk[], roots: Chunk[]): Chunk[] {
  const found = new Set(roots)
  // A Set's iterator also visits what is added on the way.
  for (const { imports } of found) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk)
  }
  return [...found]
}

function totalGzipSize(chunks: Chunk[]): number {
  return chunks.reduce((bytes, { code }) => bytes + gzipSize(code), 0)
}

function gzipSize(source: string | Uint8Array): number {
  return gzipSync(source, { level: 9 }).length
}
