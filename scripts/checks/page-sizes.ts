import { gzipSync } from 'node:zlib'
import type { Rolldown } from 'vite'
import { type PageBackend, runVite } from '../build.ts'
import { chunkNames } from '../first-chunks.ts'

interface PageSizes {
  /** JavaScript until /signin is usable: the entry chunk, that of the account screens, and what they import statically. */
  signIn: number
  /** JavaScript until /form is usable: the same with the chunk of /form. */
  form: number
  /** JavaScript of all chunks. */
  all: number
  css: number
}

/** What a first visit may load, in bytes after gzip. */
export const maxSizes = { signIn: 103_000, form: 136_000 }

/** Prints what a first visit loads. Returns what is more than `maxSizes`. */
export async function findLargePages(): Promise<string[]> {
  const page = await measureSizes('self-hosted')
  const demo = await measureSizes('memory')
  const limits = [
    ['/signin', page.signIn, maxSizes.signIn],
    ['/form', page.form, maxSizes.form],
    ['/signin of the demo page', demo.signIn, maxSizes.signIn],
    ['/form of the demo page', demo.form, maxSizes.form],
  ] as const
  return limits.flatMap(([path, bytes, limit]) => {
    console.error(`  ${bytes} of ${limit}: bytes of JavaScript until ${path}`)
    return bytes > limit
      ? [`${path} needs ${bytes} bytes of JavaScript, at most ${limit}. Load on demand what it can`]
      : []
  })
}

/** Builds the page without writing it anywhere, and returns its sizes in bytes after gzip. */
export async function measureSizes(backend: PageBackend): Promise<PageSizes> {
  const result = await runVite(backend, { logLevel: 'error', build: { write: false } })
  if (!('output' in result)) throw new Error('Vite returned no build output.')
  const chunks = result.output.filter((file) => file.type === 'chunk')
  const assets = result.output.filter((file) => file.type === 'asset')
  const entry = findChunk(chunks, ({ isEntry }) => isEntry)
  const account = findChunk(chunks, ({ name }) => name === chunkNames.account)
  const form = findChunk(chunks, ({ name }) => name === chunkNames.form)
  return {
    signIn: totalGzipSize(withStaticImports(chunks, [entry, account])),
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
