import { useRef, useState } from 'react'
import type { Batch } from '../../../contract/batches.ts'
import type { EmployeeFields } from '../../../contract/employees.ts'
import type { BatchOptions } from '../../backends/ports.ts'
import { afterPaint } from '../../lib/dom.ts'
import type { Entry, EntryInState } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { buildBatch, type MatchedRow } from './match-rows.ts'
import { cancelled } from './messages.ts'
import type { ReadOptions } from './preview.ts'
import type { Encoding } from './source/decode.ts'
import { detectColumns } from './source/detect-columns.ts'
import { SourceError } from './source/parse-sheet.ts'
import { type ImportSource, type ParsedSource, parseSource } from './source/parse-source.ts'

/** The current step of an import, with its data. */
export type ImportStep =
  | { step: 'choosing'; problem: string }
  | { step: 'reading'; origin: ImportSource }
  /** `source` is `origin` read in `encoding`, or still in the encoding before. */
  | {
      step: 'previewing'
      origin: ImportSource
      encoding: Encoding | null
      source: ParsedSource
      readOptions: ReadOptions
      note: string
    }
  /** `progress` is the part that has been sent, from 0 to 1. */
  | { step: 'sending'; progress: number }
  | { step: 'failed'; entry: EntryInState<'refused'> }
  | ({ step: 'done'; entry: EntryInState<'imported'> } & SentRows)

interface SentRows {
  /** The number of rows that were not imported. */
  skippedCount: number
  /** The new records whose password was generated. */
  generated: readonly EmployeeFields[]
}

const initialStep: ImportStep = { step: 'choosing', problem: '' }

export type ImportFlow = ReturnType<typeof useImport>

/** State of one import, from choosing the file to the result. */
export function useImport(outbox: Outbox) {
  const [step, setStep] = useState(initialStep)
  const lastPreview = useRef<Extract<ImportStep, { step: 'previewing' }>>(null)
  const sentRows = useRef<SentRows>({ skippedCount: 0, generated: [] })
  const sendController = useRef<AbortController>(null)

  async function open(origin: ImportSource) {
    if (sendController.current) return
    setStep({ step: 'reading', origin })
    await afterPaint()
    const next = await readSource(origin)
    setStep((current) => (current.step === 'reading' && current.origin === origin ? next : current))
  }

  /** Reads the file again. The columns are detected again, because the header may have become readable. */
  async function setEncoding(encoding: Encoding) {
    if (step.step !== 'previewing') return
    const { origin } = step
    setStep({ ...step, encoding, note: '' })
    const next = await readSource(origin, encoding)
    setStep((current) =>
      current.step === 'previewing' && current.origin === origin && current.encoding === encoding
        ? next
        : current,
    )
  }

  /** Sends the batch and shows its progress and result. Does nothing while another batch is being sent. */
  async function runSend(send: (options: BatchOptions) => Promise<Entry | undefined>) {
    if (sendController.current) return
    if (step.step === 'previewing') lastPreview.current = step
    const controller = new AbortController()
    sendController.current = controller
    setStep({ step: 'sending', progress: 0 })
    await afterPaint()
    const entry = await send({
      signal: controller.signal,
      onProgress: (progress) => setStep({ step: 'sending', progress }),
    })
    sendController.current = null
    if (entry?.state === 'imported') setStep({ step: 'done', entry, ...sentRows.current })
    else if (entry?.state === 'refused') setStep({ step: 'failed', entry })
    else returnToPreview(cancelled)
  }

  function returnToPreview(note = '') {
    setStep(lastPreview.current ? { ...lastPreview.current, note } : initialStep)
  }

  return {
    step,
    open,
    setEncoding,
    setReadOptions(readOptions: ReadOptions) {
      if (step.step === 'previewing') setStep({ ...step, readOptions, note: '' })
    },
    restart: () => setStep(initialStep),
    send: (rows: readonly MatchedRow[]) =>
      runSend(async (options) => {
        const batch = await buildInSlices(rows)
        const added = rows.filter((row) => row.outcome === 'new')
        sentRows.current = {
          skippedCount: rows.filter((row) => 'reason' in row).length,
          generated: batch.add.filter((_, i) => added[i]?.lacksSecret),
        }
        return outbox.importBatch(batch, options)
      }),
    retry: ({ id }: EntryInState<'refused'>) => runSend((options) => outbox.retry(id, options)),
    async discard({ id }: EntryInState<'refused'>) {
      await outbox.discard(id)
      returnToPreview()
    },
    cancel: () => sendController.current?.abort(),
  }
}

/** So many passwords are generated in 40 ms. */
const rowsPerSlice = 5_000

/** Builds the batch without blocking the page. */
async function buildInSlices(rows: readonly MatchedRow[]): Promise<Batch> {
  const slices: Batch[] = []
  for (let start = 0; start < rows.length; start += rowsPerSlice) {
    if (start > 0) await afterPaint()
    slices.push(buildBatch(rows.slice(start, start + rowsPerSlice)))
  }
  return {
    add: slices.flatMap(({ add }) => add),
    update: slices.flatMap(({ update }) => update),
    remove: [],
  }
}

async function readSource(origin: ImportSource, encoding?: Encoding): Promise<ImportStep> {
  try {
    const source = await parseSource(origin, encoding)
    const readOptions = { ...detectColumns(source.rows), unescapesFormulas: true, generates: false }
    return { step: 'previewing', origin, encoding: source.encoding, source, readOptions, note: '' }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { step: 'choosing', problem: error.message }
  }
}
