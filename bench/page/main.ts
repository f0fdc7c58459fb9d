import { runnerImport } from 'vite'
import { buildPage } from '../../scripts/build.ts'
import { catalogs } from '../../scripts/catalogs.ts'
import { maxSizes, measureSizes } from '../../scripts/checks/page-sizes.ts'
import { printStatus } from '../../scripts/terminal.ts'
import { median, ratio, table } from '../statistics.ts'
import { printActivity } from './activity.ts'
import { measurePage, type PageMetrics } from './measure-page.ts'
import { startSeededServer } from './seeded-server.ts'
import { printSlowVisits } from './slow-visits.ts'

const smallRowCount = 100
const largeRowCount = 100_000
/** The changes of another user's import, which arrive together. */
const batchChangeCount = 400
/** Each run uses a new browser. */
const runs = Number(process.env.RUNS ?? 7)

async function printSizes() {
  const { signIn, form, all, css } = await measureSizes('self-hosted')
  console.log('\nDownload sizes, gzip, bytes\n')
  console.log(
    table(
      ['', 'bytes', 'at most'],
      [
        ['JavaScript until /signin is usable', signIn, maxSizes.signIn],
        ['JavaScript until /form is usable', form, maxSizes.form],
        ['JavaScript of all chunks', all, ''],
        ['style sheets', css, ''],
      ],
    ),
  )
}

async function printReducer() {
  const file = `${import.meta.dirname}/reducer.ts`
  // Node cannot load the texts of the page, which the reducer imports.
  const { module } = await runnerImport<typeof import('./reducer.ts')>(file, { plugins: [catalogs()] })
  const count = largeRowCount.toLocaleString('en')
  const { handwritten, immer, batched, oneByOne } = module.measureReducer(largeRowCount, batchChangeCount)
  const rows = [
    ['one record changed, our reducer', handwritten.toFixed(2), ratio(handwritten, immer), 'createSlice'],
    ['one record changed, createSlice with book.map(…)', immer.toFixed(2), '', ''],
    [
      `${batchChangeCount} changes at once, as after an import`,
      batched.toFixed(2),
      ratio(batched, oneByOne),
      'one by one',
    ],
    [`${batchChangeCount} changes one by one`, oneByOne.toFixed(2), '', ''],
  ]
  console.log(`\nThe reducer with ${count} records\n\n${table(['', 'ms', 'ratio', 'to'], rows)}`)
}

const metricRows: [keyof PageMetrics, string, string][] = [
  ['firstRows', 'navigation to first rows, ms', '1.25'],
  ['allRows', 'navigation to all rows, ms', ''],
  ['keystroke', 'keystroke to paint, ms', '1.3'],
  ['remove', 'delete to paint, ms', '1.3'],
  ['scrollFrame', 'scroll, p95 frame, ms', '1.1'],
  ['scrollWork', 'scroll, main thread per step, ms', ''],
  ['blankFrames', 'blank frames in 200 steps and after End', ''],
  ['elements', 'DOM elements', '1.1'],
  ['heap', 'JavaScript heap, MB', ''],
]

async function printPage() {
  const servers = [await startSeededServer(smallRowCount), await startSeededServer(largeRowCount)] as const
  const metrics: [PageMetrics[], PageMetrics[]] = [[], []]
  try {
    for (let run = 0; run < runs; run++) {
      // Alternate the order, so that other programs disturb both.
      for (const which of run % 2 ? ([1, 0] as const) : ([0, 1] as const)) {
        printStatus(`run ${run + 1} of ${runs}, ${servers[which].count} rows`)
        metrics[which].push(await measurePage(servers[which]))
      }
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  console.log(`\nThe page, medians of ${runs} interleaved runs in fresh browsers\n`)
  const [atFew, atMany] = metrics
  console.log(
    table(
      ['', `${smallRowCount} rows`, `${largeRowCount.toLocaleString('en')} rows`, 'ratio', 'at most'],
      metricRows.map(([name, title, limit]) => {
        const [a, b] = [median(atFew.map((one) => one[name])), median(atMany.map((one) => one[name]))]
        return [title, a.toFixed(1), b.toFixed(1), a > 0 ? ratio(b, a) : '', limit]
      }),
    ),
  )
}

// Measures the page with 100,000 records against 100, or, with the argument `slow`, visits over a slow line, in turns with the
// build of an older checkout that another argument names, or, with `activity`, the opening of a long log. Only the ratios are
// comparable between machines.
const [mode, olderFolder] = process.argv.slice(2)
if (mode !== undefined && mode !== 'slow' && mode !== 'activity')
  throw new Error(`Unknown mode "${mode}". Known: slow, activity`)
await buildPage()
if (mode === 'slow') {
  await printSlowVisits(olderFolder, runs)
} else if (mode === 'activity') {
  await printActivity(runs)
} else {
  await printSizes()
  await printReducer()
  await printPage()
}
