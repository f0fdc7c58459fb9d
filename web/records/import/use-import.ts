import { useRef, useState } from 'react'
import type { Batch } from '../../../contract/batches.ts'
import { afterPaint } from '../../lib/after-paint.ts'
import type { Entry } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { ReadOptions } from './preview.ts'
import { detectColumns } from './source/detect-columns.ts'
import { type ImportSource, type ParsedSource, parseSource, SourceError } from './source/parse-source.ts'

type RefusedEntry = Extract<Entry, { state: 'refused' }>
type ImportedEntry = Extract<Entry, { state: 'imported' }>

/** The current step of an import, with its data. */
export type ImportStep =
  | { step: 'choosing'; problem: string }
  | { step: 'reading' }
  | { step: 'previewing'; source: ParsedSource; readOptions: ReadOptions; note: string }
  /** `progress` is the part that has been sent, from 0 to 1. */
  | { step: 'sending'; progress: number }
  | { step: 'failed'; entry: RefusedEntry }
  /** `skippedCount` is the number of invalid rows. */
  | { step: 'done'; entry: ImportedEntry; skippedCount: number }

/** State of one import, from choosing the file to the result. */
export function useImport(outbox: Outbox) {
  const [step, setStep] = useState<ImportStep>({ step: 'choosing', problem: '' })
  const lastPreview = useRef<Extract<ImportStep, { step: 'previewing' }>>(null)
  const skippedCountRef = useRef(0)
  const sendController = useRef<AbortController>(null)

  async function open(source: ImportSource) {
    if (sendController.current) return
    setStep({ step: 'reading' })
    await afterPaint()
    try {
      const parsed = await parseSource(source)
      const readOptions = { ...detectColumns(parsed.rows), unescapesFormulas: true }
      setStep({ step: 'previewing', source: parsed, readOptions, note: '' })
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      setStep({ step: 'choosing', problem: error.message })
    }
  }

  /** Sends the batch and shows its progress and result. Does nothing while another batch is being sent. */
  async function runSend(send: (options: SendOptions) => Promise<Entry | undefined>) {
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
    if (entry?.state === 'imported') setStep({ step: 'done', entry, skippedCount: skippedCountRef.current })
    else if (entry?.state === 'refused') setStep({ step: 'failed', entry })
    else returnToPreview('Cancelled. This is what it would do now.')
  }

  function returnToPreview(note = '') {
    setStep(lastPreview.current ? { ...lastPreview.current, note } : { step: 'choosing', problem: '' })
  }

  return {
    step,
    open,
    setReadOptions(readOptions: ReadOptions) {
      if (step.step === 'previewing') setStep({ ...step, readOptions, note: '' })
    },
    restart: () => setStep({ step: 'choosing', problem: '' }),
    send(batch: Batch, invalidCount: number) {
      skippedCountRef.current = invalidCount
      return runSend((options) => outbox.importBatch(batch, options))
    },
    retry: ({ id }: RefusedEntry) => runSend((options) => outbox.retry(id, options)),
    async discard({ id }: RefusedEntry) {
      await outbox.discard(id)
      returnToPreview()
    },
    cancel: () => sendController.current?.abort(),
  }
}

interface SendOptions {
  signal: AbortSignal
  onProgress(progress: number): void
}
