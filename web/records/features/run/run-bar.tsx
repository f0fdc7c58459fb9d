import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { t } from '../../../language/translate.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import type { Run } from '../../model/book/operation.ts'
import { runShortcuts } from '../../model/keys/shortcut-key.ts'
import { useCopyList, useHandOverAll } from '../../model/spreadsheet/copy-list.ts'
import { useView } from '../../model/view.ts'
import styles from './run-bar.module.css'
import { describeChanged, findEffective, type RunControls, type RunOptions, useRun } from './use-run.tsx'

/** The last line of the form during a run and after it. */
export function RunBar({ ref, ...options }: RunOptions & { ref: Ref<RunControls> }) {
  const controls = useRun(options)
  useImperativeHandle(ref, () => controls)
  const { run, editing } = options.editing.merged.draft
  const start = useEffectEvent(controls.start)
  const isNew = controls.isRunning && !editing
  // Before the next key is typed.
  useLayoutEffect(() => {
    if (isNew) start()
  }, [isNew])
  return run && <Progress run={run} controls={controls} isClosed={options.list.status === 'closed'} />
}

function Progress({ run, controls, isClosed }: { run: Run; controls: RunControls; isClosed: boolean }) {
  const { isRunning, event, copyOld, skip, stop, findCurrent, undoAll, close } = controls
  const { position, records } = run
  const { focusForm } = useView()
  const bar = useRef<HTMLDivElement>(null)
  const wasRunning = useRef(isRunning)
  // After a reload, Enter continues; at the end, another Enter must do nothing.
  useEffect(() => {
    if (isRunning && document.activeElement === document.body) focusForm()
    if (!isRunning && wasRunning.current) bar.current?.focus()
    wasRunning.current = isRunning
  }, [isRunning, focusForm])
  const changes = findEffective(run, findCurrent)
  const changed = changes.map(({ employee }) => findCurrent(employee) ?? employee)
  const [outcome, setOutcome] = useState('')
  const copy = useCopyList(changed, setOutcome)
  const handOver = useHandOverAll(changed)
  const [done, text] = isRunning
    ? [
        position,
        t('{position, number} of {total, number}', { position: position + 1, total: records.length }),
      ]
    : [changes.length, describeChanged(changes.length, records.length)]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={bar}
      role="group"
      tabIndex={-1}
      aria-label={t('Passwords to change')}
      className={styles.bar}
      data-run
    >
      <div className={styles.track}>
        <div className={styles.done} style={{ width: `${(100 * done) / records.length}%` }} />
      </div>
      <p className={styles.text}>
        <strong>{text}</strong> <Text>{event}</Text>
      </p>
      <span className={styles.buttons}>
        {isRunning && <StepButtons copyOld={copyOld} skip={skip} stop={stop} />}
        {!isRunning && !isClosed && changes.length > 0 && (
          <>
            <Button onClick={() => undoAll(changes)}>{t('Undo all')}</Button>
            <Button onClick={copy}>{t('Copy with passwords')}</Button>
            <span role="status">
              <Text>{outcome}</Text>
            </span>
            {handOver && <Button onClick={handOver}>{t('Hand over all')}</Button>}
          </>
        )}
        {!isRunning && <IconButton icon="x" aria-label={t('Close')} onClick={close} />}
      </span>
    </div>
  )
}

/** The keys are for those who see the buttons; the dialog of shortcuts lists them for everybody. */
function StepButtons({ copyOld, skip, stop }: Pick<RunControls, 'copyOld' | 'skip' | 'stop'>) {
  const actions = { C: copyOld, S: skip, Esc: stop } as const
  return Object.entries(runShortcuts).map(([key, label]) => (
    <Button key={key} onClick={actions[key as keyof typeof actions]}>
      {t(label)}
      <span className={styles.key} aria-hidden="true" translate="no">
        {key}
      </span>
    </Button>
  ))
}
