import { useRef, useState } from 'react'
import type { Batch } from '../../../contract/batches.ts'
import { painted } from '../../lib/after-paint.ts'
import type { Entry } from '../outbox/entry.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { recogniseLayout } from './detect-columns.ts'
import { type OpenedSource, openSource, type Source, SourceError } from './open-source.ts'
import type { Reading } from './preview.ts'

type Refused = Extract<Entry, { state: 'refused' }>
type Imported = Extract<Entry, { state: 'imported' }>

/** Where an import stands. */
export type Step =
  | { step: 'choosing'; problem: string }
  | { step: 'reading' }
  | { step: 'looking'; source: OpenedSource; reading: Reading; note: string }
  /** `sent`: how much of it, from 0 to 1. */
  | { step: 'sending'; sent: number }
  | { step: 'refused'; entry: Refused }
  /** `leftOut`: how many rows were wrong. */
  | { step: 'done'; entry: Imported; leftOut: number }

/** One import from the file to the register, step by step. */
export function useImport(outbox: Outbox) {
  const [step, setStep] = useState<Step>({ step: 'choosing', problem: '' })
  const looking = useRef<Extract<Step, { step: 'looking' }>>(null)
  const leftOut = useRef(0)
  const sending = useRef<AbortController>(null)

  async function open(source: Source) {
    if (sending.current) return
    setStep({ step: 'reading' })
    await painted()
    try {
      const opened = await openSource(source)
      const reading = { ...recogniseLayout(opened.rows), unprotects: true }
      setStep({ step: 'looking', source: opened, reading, note: '' })
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      setStep({ step: 'choosing', problem: error.message })
    }
  }

  /** Follows a sending to its end: done, refused, or taken back. */
  async function follow(send: (options: Options) => Promise<Entry | undefined>) {
    if (sending.current) return
    if (step.step === 'looking') looking.current = step
    const cancelling = new AbortController()
    sending.current = cancelling
    setStep({ step: 'sending', sent: 0 })
    await painted()
    const entry = await send({
      signal: cancelling.signal,
      onProgress: (sent) => setStep({ step: 'sending', sent }),
    })
    sending.current = null
    if (entry?.state === 'imported') setStep({ step: 'done', entry, leftOut: leftOut.current })
    else if (entry?.state === 'refused') setStep({ step: 'refused', entry })
    else lookAgain('Cancelled. This is what it would do now.')
  }

  function lookAgain(note = '') {
    setStep(looking.current ? { ...looking.current, note } : { step: 'choosing', problem: '' })
  }

  return {
    step,
    open,
    setReading(reading: Reading) {
      if (step.step === 'looking') setStep({ ...step, reading, note: '' })
    },
    chooseAgain: () => setStep({ step: 'choosing', problem: '' }),
    send(batch: Batch, wrong: number) {
      leftOut.current = wrong
      return follow((options) => outbox.importBatch(batch, options))
    },
    retry: ({ id }: Refused) => follow((options) => outbox.retry(id, options)),
    async giveUp({ id }: Refused) {
      await outbox.discard(id)
      lookAgain()
    },
    cancel: () => sending.current?.abort(),
  }
}

interface Options {
  signal: AbortSignal
  onProgress(sent: number): void
}
