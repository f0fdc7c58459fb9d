import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import type { BatchOptions } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { afterPaint } from '../../../lib/dom.ts'
import type { Entry, EntryInState } from '../../model/outbox/entry.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import type { ImportSource } from '../../model/view.ts'
import { buildBatch, type MatchedRow } from './matching/match-rows.ts'
import { proposeOptions, type ReadOptions } from './preview.ts'
import { type HeldFile, type HeldSource, holdSource } from './source/held-source.ts'
import { openSource, type ReadControls } from './source/open-source.ts'
import type { ParsedSource, ParseOptions, SourceChoice } from './source/parse-source.ts'
import { LockedError, SourceError } from './source/sheet.ts'

export type ImportStep =
  | { step: 'choosing'; problem: string }
  /** `progress`, from 0 to 1, is that of a workbook. */
  | { step: 'reading'; progress: number | null }
  /** The file is protected with a password. */
  | { step: 'locked'; origin: HeldFile; problem: string }
  /** `source` is `origin` read with `choice`, or still with the one before. */
  | {
      step: 'previewing'
      origin: HeldSource
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

/** State of one import, from choosing the file to the result. It begins with a preview that was kept. */
export function useImport(outbox: Outbox, kept: ImportStep | null) {
  const [step, setStep] = useState(kept?.step === 'previewing' ? stopChoosing(kept) : initialStep)
  const { read, stopReading } = useReading(setStep)
  const sending = useSending(outbox, setStep)
  return {
    ...sending,
    step,
    read(origin: ImportSource | HeldFile, how?: ParseOptions) {
      if (!sending.isSending()) return read(origin, how)
    },
    setReadOptions(readOptions: ReadOptions) {
      if (step.step === 'previewing') setStep({ ...step, readOptions, note: '' })
    },
    restart() {
      stopReading()
      setStep(initialStep)
    },
  }
}

type SetStep = Dispatch<SetStateAction<ImportStep>>

/** Reads a source, and detects the columns: with another encoding the header may have become readable. */
function useReading(setStep: SetStep) {
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function read(origin: ImportSource | HeldFile, how: ParseOptions = {}) {
    controller.current?.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    setStep((current) =>
      current.step === 'previewing' && how.choice !== undefined
        ? { ...current, choice: how.choice, note: '' }
        : { step: 'reading', progress: null },
    )
    await afterPaint()
    const onProgress = (progress: number) =>
      setStep((current) =>
        current.step === 'reading' && !signal.aborted ? { ...current, progress } : current,
      )
    const next = await readSource(origin, how, { signal, onProgress })
    if (next && !signal.aborted) setStep((current) => stayIfRefused(current, next))
  }

  return { read, stopReading: () => controller.current?.abort() }
}

/** The preview stays, with the reason, if what was read before can't be read in another way. */
function stayIfRefused(current: ImportStep, next: ImportStep): ImportStep {
  if (current.step !== 'previewing' || next.step !== 'choosing') return next
  return { ...stopChoosing(current), note: next.problem }
}

/** Sends the batch and shows its progress and result. Does nothing while another batch is being sent. */
function useSending(outbox: Outbox, setStep: SetStep) {
  const sent = useRef<{ preview: StepOf<'previewing'>; rows: readonly MatchedRow[] }>(null)
  const controller = useRef<AbortController>(null)

  async function runSend(send: (options: BatchOptions) => Promise<Entry | undefined>) {
    if (controller.current) return
    controller.current = new AbortController()
    const { signal } = controller.current
    setStep({ step: 'sending', progress: 0 })
    await afterPaint()
    const entry = await send({ signal, onProgress: (progress) => setStep({ step: 'sending', progress }) })
    controller.current = null
    if (entry?.state === 'imported') setStep({ step: 'done', entry, rows: sent.current?.rows ?? [] })
    else if (entry?.state === 'refused') setStep({ step: 'failed', entry })
    else returnToPreview(t('Import cancelled; nothing was changed.'))
  }

  function returnToPreview(note = '') {
    setStep(sent.current ? { ...sent.current.preview, note } : initialStep)
  }

  return {
    isSending: () => controller.current !== null,
    send(preview: StepOf<'previewing'>, rows: readonly MatchedRow[]) {
      sent.current = { preview, rows }
      return runSend(async (options) => outbox.importBatch(await buildBatch(rows), options))
    },
    retry: ({ id }: EntryInState<'refused'>) => runSend((options) => outbox.retry(id, options)),
    async discard({ id }: EntryInState<'refused'>) {
      await outbox.discard(id)
      returnToPreview()
    },
    cancel: () => controller.current?.abort(),
  }
}

/** Returns undefined if the reading was cancelled. */
async function readSource(
  from: ImportSource | HeldFile,
  how: ParseOptions,
  controls: ReadControls,
): Promise<ImportStep | undefined> {
  let origin: HeldSource = ''
  try {
    origin = await holdSource(from)
    const source = await openSource({ source: origin, ...how }, controls)
    const readOptions = proposeOptions(source)
    return { step: 'previewing', origin, choice: chosenOf(source), source, readOptions, note: '' }
  } catch (error) {
    if (controls.signal.aborted) return undefined
    if (!(error instanceof SourceError)) throw error
    const problem = error.problem && t(error.problem)
    if (error instanceof LockedError && typeof origin !== 'string') return { step: 'locked', origin, problem }
    return { step: 'choosing', problem }
  }
}

const chosenOf = ({ workbook, encoding }: ParsedSource) => encoding ?? workbook?.sheet ?? null

/** Whether a preview shows what was chosen, and not what was read before, which is shown until the source is read again. */
export const isUpToDate = ({ choice, source }: StepOf<'previewing'>) => choice === chosenOf(source)

/** A preview as it was read, whatever was chosen since. */
const stopChoosing = (preview: StepOf<'previewing'>) => ({ ...preview, choice: chosenOf(preview.source) })
