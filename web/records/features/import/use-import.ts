import { useRef, useState } from 'react'
import type { BatchOptions } from '../../../backends/ports.ts'
import { afterPaint } from '../../../lib/dom.ts'
import type { Entry, EntryInState } from '../../model/outbox/entry.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import type { ImportSource } from '../../model/view.ts'
import { buildBatch, type MatchedRow } from './match-rows.ts'
import { cancelled } from './messages.ts'
import type { ReadOptions } from './preview.ts'
import type { Encoding } from './source/decode.ts'
import { detectColumns } from './source/detect-columns.ts'
import { SourceError } from './source/parse-sheet.ts'
import { type ParsedSource, parseSource } from './source/parse-source.ts'

export type ImportStep =
  | { step: 'choosing'; problem: string }
  | { step: 'reading'; origin: ImportSource; encoding?: never }
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
  /** `rows` are all of the preview, also those that were not imported. */
  | { step: 'done'; entry: EntryInState<'imported'>; rows: readonly MatchedRow[] }

export type StepOf<Name extends ImportStep['step']> = Extract<ImportStep, { step: Name }>

const initialStep: ImportStep = { step: 'choosing', problem: '' }

export type ImportFlow = ReturnType<typeof useImport>

/** State of one import, from choosing the file to the result. */
export function useImport(outbox: Outbox) {
  const [step, setStep] = useState(initialStep)
  const sent = useRef<{ preview: StepOf<'previewing'>; rows: readonly MatchedRow[] }>(null)
  const sendController = useRef<AbortController>(null)

  /** Reads a source, and detects the columns: with another encoding the header may have become readable. */
  async function read(origin: ImportSource, encoding?: Encoding) {
    if (sendController.current) return
    setStep((current) =>
      current.step === 'previewing' && encoding
        ? { ...current, encoding, note: '' }
        : { step: 'reading', origin },
    )
    await afterPaint()
    const next = await readSource(origin, encoding)
    setStep((current) =>
      'origin' in current && current.origin === origin && current.encoding === encoding ? next : current,
    )
  }

  /** Sends the batch and shows its progress and result. Does nothing while another batch is being sent. */
  async function runSend(send: (options: BatchOptions) => Promise<Entry | undefined>) {
    if (sendController.current) return
    const controller = new AbortController()
    sendController.current = controller
    setStep({ step: 'sending', progress: 0 })
    await afterPaint()
    const entry = await send({
      signal: controller.signal,
      onProgress: (progress) => setStep({ step: 'sending', progress }),
    })
    sendController.current = null
    if (entry?.state === 'imported') setStep({ step: 'done', entry, rows: sent.current?.rows ?? [] })
    else if (entry?.state === 'refused') setStep({ step: 'failed', entry })
    else returnToPreview(cancelled)
  }

  function returnToPreview(note = '') {
    setStep(sent.current ? { ...sent.current.preview, note } : initialStep)
  }

  return {
    step,
    read,
    setReadOptions(readOptions: ReadOptions) {
      if (step.step === 'previewing') setStep({ ...step, readOptions, note: '' })
    },
    restart: () => setStep(initialStep),
    send(preview: StepOf<'previewing'>, rows: readonly MatchedRow[]) {
      sent.current = { preview, rows }
      return runSend(async (options) => outbox.importBatch(await buildBatch(rows), options))
    },
    retry: ({ id }: EntryInState<'refused'>) => runSend((options) => outbox.retry(id, options)),
    async discard({ id }: EntryInState<'refused'>) {
      await outbox.discard(id)
      returnToPreview()
    },
    cancel: () => sendController.current?.abort(),
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
