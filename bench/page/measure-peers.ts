import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { root, say } from '../../scripts/terminal.ts'
import { median, quantile } from './figures.ts'
import { launch } from './measure-page.ts'
import { chunksOf, sum } from './sizes.ts'

const folder = join(root, 'bench/page/peers')

interface Peer {
  name: string
  page: string
  rows: number
  /** What a row is in its markup. */
  row: string
  /** What scrolls; the page itself where there is none. */
  scroller?: string
}

const peers: Peer[] = [
  { name: 'a table without a window', page: 'naive', rows: 100, row: 'tbody tr' },
  { name: 'a table without a window', page: 'naive', rows: 10_000, row: 'tbody tr' },
  {
    name: 'MUI DataGrid, 100 rows a page',
    page: 'data-grid',
    rows: 100,
    row: '.MuiDataGrid-row',
    scroller: '.MuiDataGrid-virtualScroller',
  },
  {
    name: 'MUI DataGrid, 100 rows a page',
    page: 'data-grid',
    rows: 100_000,
    row: '.MuiDataGrid-row',
    scroller: '.MuiDataGrid-virtualScroller',
  },
]

export interface PeerFigures {
  name: string
  rows: number
  firstRows: number
  elements: number
  scrollFrame: number
  bytes: number
}

/** Other ways to show a long list, built and measured as the page is. */
export async function measurePeers(runs: number): Promise<PeerFigures[]> {
  if (!existsSync(join(folder, 'node_modules'))) {
    say('installing what the page is measured beside …')
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  }
  const figures: PeerFigures[] = []
  for (const peer of peers) {
    say(`${peer.name}, ${peer.rows} rows`)
    const output = await buildPeer(peer.page)
    const site = await serve(output)
    try {
      const measured: Awaited<ReturnType<typeof measureOnce>>[] = []
      for (let run = 0; run < runs; run++) measured.push(await measureOnce(site.url, peer))
      const of = (name: 'firstRows' | 'elements' | 'scrollFrame') => median(measured.map((one) => one[name]))
      figures.push({
        name: peer.name,
        rows: peer.rows,
        firstRows: of('firstRows'),
        elements: of('elements'),
        scrollFrame: of('scrollFrame'),
        bytes: sum(chunksOf(output)),
      })
    } finally {
      site.stop()
    }
  }
  return figures
}

async function buildPeer(page: string): Promise<Output[]> {
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'es2023', rolldownOptions: { input: join(folder, `${page}.html`) } },
  })
  if (!('output' in built)) throw new Error(`${page} was not built once.`)
  return built.output
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset

/** Serves what was built, from memory. */
async function serve(output: Output[]) {
  const files = new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const file = files.get(pathname)
    const type = pathname.endsWith('.js')
      ? 'text/javascript'
      : pathname.endsWith('.css')
        ? 'text/css'
        : 'text/html'
    response.writeHead(file ? 200 : 404, { 'content-type': type }).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

async function measureOnce(url: string, { page: name, rows, row, scroller }: Peer) {
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(`${url}/${name}.html?rows=${rows}`, { waitUntil: 'commit' })
    return await page
      .evaluate(
        async ({ row, scroller }) => {
          const painted = () =>
            new Promise<number>((resolve) => {
              requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel()
                port1.onmessage = () => resolve(performance.now())
                port2.postMessage(null)
              })
            })
          let firstRows = 0
          while (!firstRows) {
            const now = await painted()
            if (document.querySelector(row)) firstRows = now
          }
          const elements = document.querySelectorAll('*').length
          const element = (scroller && document.querySelector(scroller)) || document.documentElement
          const frames: number[] = []
          let way = 1
          let last = await painted()
          for (let step = 0; step < 100; step++) {
            if (element.scrollTop + element.clientHeight + 400 > element.scrollHeight) way = -1
            if (element.scrollTop < 400) way = 1
            element.scrollBy({ top: way * 400, behavior: 'instant' })
            const now = await painted()
            frames.push(now - last)
            last = now
          }
          return { firstRows, elements, frames }
        },
        { row, scroller: scroller ?? null },
      )
      .then(({ frames, ...figures }) => ({ ...figures, scrollFrame: quantile(frames, 0.95) }))
  } finally {
    await browser.close()
  }
}
