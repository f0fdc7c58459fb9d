import { readFileSync, writeSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { previewInSteps, proposeOptions } from '../../web/records/features/import/preview.ts'
import { parseSource } from '../../web/records/features/import/source/parse-source.ts'
import { SourceError } from '../../web/records/features/import/source/sheet.ts'
import { createRandom } from '../support/random.ts'
import { finish } from '../support/steps.ts'

/** What the reading of many damaged copies of one file took, at most. */
export interface DamageReport {
  /** Processor time of one copy. */
  worstMs: number
  peakMegabytes: number
  listCount: number
  sentenceCount: number
}

type Random = ReturnType<typeof createRandom>

/** Changes some bytes; of every fourth copy it also leaves a part out, or repeats one. */
function damage(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes)
  for (let i = random(8); i >= 0; i--) copy[random(copy.length)] = random(256)
  const [from, length] = [random(copy.length), random(Math.min(copy.length, 2_000))]
  const kind = random(8)
  if (kind === 0) return Uint8Array.from([...copy.subarray(0, from), ...copy.subarray(from + length)])
  if (kind === 1) return Uint8Array.from([...copy.subarray(0, from + length), ...copy.subarray(from)])
  return copy
}

/** Damages a part of a ZIP file, packed again, since damage of packed bytes is seldom more than that to the reader of the parts. */
function damagePart(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const parts = unzipSync(bytes)
  const names = Object.keys(parts).filter((name) => /\.(xml|rels|data|bin)$/i.test(name))
  const name = names[random(names.length)] ?? ''
  return zipSync({ ...parts, [name]: damage(parts[name] ?? strToU8(''), random) }, { level: 0 })
}

/** Repeats a bit of the text very often, as no program does. */
function swell(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const [from, length] = [random(bytes.length), 1 + random(40)]
  const part = strFromU8(bytes.subarray(from, from + length), true)
  const middle = strToU8(part.repeat(100_000 / part.length), true)
  return Uint8Array.from([...bytes.subarray(0, from), ...middle, ...bytes.subarray(from)])
}

/** Reads so many damaged copies of a file, as the page does. Throws what is no sentence for the user. */
async function readDamaged(path: string, count: number, seed: number): Promise<DamageReport> {
  const bytes = new Uint8Array(readFileSync(path))
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  const random = createRandom(seed)
  const report = { worstMs: 0, peakMegabytes: 0, listCount: 0, sentenceCount: 0 }
  for (let i = 0; i < count; i++) {
    // The last line tells which copy has not come to an end.
    if (i % 100 === 0) writeSync(1, `${i}\n`)
    // What earlier copies have left is not what this one needs.
    if (i % 10 === 0) globalThis.gc?.()
    const isSwollen = !isZip && random(50) === 0
    const change = isSwollen ? swell : isZip && random(4) > 0 ? damagePart : damage
    const file = new File([change(bytes, random)], 'list')
    const start = process.threadCpuUsage()
    try {
      const source = await parseSource(file)
      finish(previewInSteps(source, proposeOptions(source), []))
      report.listCount++
    } catch (error) {
      if (!(error instanceof SourceError)) throw new Error(`Copy ${i} of ${path}`, { cause: error })
      report.sentenceCount++
    }
    const { user, system } = process.threadCpuUsage(start)
    report.worstMs = Math.max(report.worstMs, (user + system) / 1_000)
  }
  // The maximum of the whole process, with Node. `resourceUsage` has that of the parent too.
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  report.peakMegabytes = Number(kilobytes) / 1_024
  return report
}

const [, , path = '', count = '0', seed = '0'] = process.argv
// A library tells damage on the console too.
console.error = () => {}
const report = await readDamaged(path, Number(count), Number(seed))
writeSync(1, `${JSON.stringify(report)}\n`)
