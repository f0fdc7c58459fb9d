import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { root } from '../../scripts/terminal.ts'

/** Bytes after gzip of what is built: all of the baseline, and every part of the page. */
export async function measureSizes(web: string) {
  const [page, baseline] = [await buildOutput(web), await buildOutput(join(root, 'bench/page/baseline'))]
  return {
    baseline: totalGzipSize(selectChunks(baseline)),
    all: totalGzipSize(selectChunks(page)),
    css: page
      .filter((file) => file.fileName.endsWith('.css'))
      .reduce((bytes, file) => bytes + gzipSize('source' in file ? file.source : ''), 0),
  }
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset

/** Builds a page with the product's own settings, without writing it anywhere. */
async function buildOutput(page: string): Promise<Output[]> {
  const built = await build({
    root: page,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  })
  if (!('output' in built)) throw new Error(`${page} was not built once.`)
  return built.output
}

export function selectChunks(output: Output[]): Rolldown.OutputChunk[] {
  return output.filter((file) => file.type === 'chunk')
}

export function totalGzipSize(chunks: Rolldown.OutputChunk[]): number {
  return chunks.reduce((bytes, { code }) => bytes + gzipSize(code), 0)
}

export function gzipSize(source: string | Uint8Array): number {
  return gzipSync(source, { level: 9 }).length
}
