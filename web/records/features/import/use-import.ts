import { useEffect, useRef, useState } from 'react'
import type { BatchOptions } from '../../../backends/ports.ts'
import { afterPaint } from '../../../lib/dom.ts'
import type { Entry, EntryInState } from '../../model/outbox/entry.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import type { ImportSource } from '../../model/view.ts'
import { buildBatch, type MatchedRow } from './match-rows.ts'
import { cancelled } from './messages.ts'
import type { ReadOptions } from './preview.ts'
import { detectColumns } from './source/detect-columns.ts'
import type { ReadControls } from './source/open-workbook.ts'
import { SourceError } from './source/parse-sheet.ts'
import { type ParsedSource, parseSource, type SourceChoice } from './source/parse-source.ts'

export type ImportStep =
  | { step: 'choosing'; problem: string }
  /** `progress`, from 0 to 1, is that of a workbook. */
  | { step: 'reading'; origin: ImportSource; progress: number | null; choice?: never }
  /** `source` is `origin` read with `choice`, or still with the one before. */
  | {
      step: 'previewing'
      origin: ImportSource
      choice: SourceChoice | null
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
  const readController = useRef<AbortController>(null)
  useEffect(() => () => readController.current?.abort(), [])

  /** Reads a source, and detects the columns: with another encoding the header may have become readable. */
  async function read(origin: ImportSource, choice?: SourceChoice) {
    if (sendController.current) return
    readController.current?.abort()
    const controller = new AbortController()
    readController.current = controller
    const { signal } = controller
    setStep((current) =>
      current.step === 'previewing' && choice !== undefined
        ? { ...current, choice, note: '' }
        : { step: 'reading', origin, progress: null },
    )
    await afterPaint()
    const onProgress = (progress: number) =>
      setStep((current) =>
        current.step === 'reading' && !signal.aborted ? { ...current, progress } : current,
      )
    const next = await readSource(origin, choice, { signal, onProgress })
    if (next && !signal.aborted) setStep(next)
  }

  function restart() {
    readController.current?.abort()
    setStep(initialStep)
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
    restart,
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

/** Returns undefined if the reading was cancelled. */
async function readSource(
  origin: ImportSource,
  choice: SourceChoice | undefined,
  controls: ReadControls,
): Promise<ImportStep | undefined> {
  try {
    const source = await parseSource(origin, choice, controls)
    // A workbook needs no apostrophe against formulas, so there it is probably a part of the text.
    const unescapesFormulas = source.workbook === null
    const readOptions = { ...detectColumns(source.rows), unescapesFormulas, generates: false }
    const read = source.workbook?.sheet ?? source.encoding
    return { step: 'previewing', origin, choice: read, source, readOptions, note: '' }
  } catch (error) {
    if (controls.signal?.aborted) return undefined
    if (!(error instanceof SourceError)) throw error
    return { step: 'choosing', problem: error.message }
  }
}
