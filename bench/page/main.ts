import { join } from 'node:path'
import { buildPage } from '../../scripts/build.ts'
import { root, say } from '../../scripts/terminal.ts'
import { median, ratio, table } from './figures.ts'
import { measurePage, measureScripts, type PageFigures } from './measure-page.ts'
import { measureReducer, measureTogether } from './reducer.ts'
import { openRegister } from './register.ts'
import { measureSizes } from './sizes.ts'

/** Rows of the register, runs of each; a run has a browser of its own. */
const few = 100
const many = 100_000
/** Changes that a colleague's import tells at once. */
const manyChanges = 400
const runs = Number(process.env.RUNS ?? 7)

/** What the page costs with 100,000 records, as ratios within this run. */
async function main() {
  await buildPage()
  await printSizes()
  printReducer()
  await printPage()
}

async function printSizes() {
  const { baseline, all, css } = await measureSizes(join(root, 'web'))
  const register = await openRegister(few)
  const first = await measureScripts(register).finally(register.stop)
  console.log(
    `\nJavaScript, gzip, bytes; baseline: React, Redux Toolkit, React Router, three empty routes, built with the same settings\n`,
  )
  console.log(
    table(
      ['', 'bytes', 'of the baseline', 'at most'],
      [
        ['baseline', baseline, '', ''],
        ['the register, as Chromium loads it', first, ratio(first, baseline), '1.15'],
        ['all parts, each loaded when it is wanted', all, ratio(all, baseline), ''],
        ['style sheets', css, ratio(css, baseline), ''],
      ],
    ),
  )
}

function printReducer() {
  const { plain, immer } = measureReducer(many)
  console.log(`\nOne record changed in ${many.toLocaleString('en')}, ms per dispatch (below 5)\n`)
  console.log(
    table(
      ['reducer', 'ms', 'of createSlice'],
      [
        ['ours', plain.toFixed(2), ratio(plain, immer)],
        ['createSlice, book = book.map(…)', immer.toFixed(2), ''],
      ],
    ),
  )
  const { together, oneByOne } = measureTogether(many, manyChanges)
  console.log(`\n${manyChanges} records changed in ${many.toLocaleString('en')}, ms\n`)
  console.log(
    table(
      ['told', 'ms', 'of one by one'],
      [
        ['at once, as after an import', together.toFixed(2), ratio(together, oneByOne)],
        ['one by one', oneByOne.toFixed(2), ''],
      ],
    ),
  )
}

const rows: [keyof PageFigures, string, string][] = [
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
  const registers = [await openRegister(few), await openRegister(many)] as const
  const figures: [PageFigures[], PageFigures[]] = [[], []]
  try {
    for (let run = 0; run < runs; run++) {
      // Interleaved, each size first in every other run, so that a busy machine is busy for both.
      for (const which of run % 2 ? ([1, 0] as const) : ([0, 1] as const)) {
        say(`run ${run + 1} of ${runs}, ${registers[which].count} rows`)
        figures[which].push(await measurePage(registers[which]))
      }
    }
  } finally {
    for (const register of registers) await register.stop()
  }
  console.log(`\nThe page, medians of ${runs} interleaved runs in fresh browsers\n`)
  const [atFew, atMany] = figures
  console.log(
    table(
      ['', `${few} rows`, `${many.toLocaleString('en')} rows`, 'ratio', 'at most'],
      rows.map(([name, title, limit]) => {
        const [a, b] = [median(atFew.map((one) => one[name])), median(atMany.map((one) => one[name]))]
        return [title, a.toFixed(1), b.toFixed(1), a > 0 ? ratio(b, a) : '', limit]
      }),
    ),
  )
}

await main()
