import { t } from '../../language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { cutName, Text } from '../../ui/message.tsx'
import { type EntryInState, isUndo, type UndoEntry } from '../model/outbox/entry.ts'
import styles from './undo-bar.module.css'

type DoneEntry = UndoEntry | EntryInState<'undone'>

interface UndoListProps {
  done: readonly DoneEntry[]
  deletes: readonly EntryInState<'deleted'>[]
  describe(entry: DoneEntry): string
  onUndo(entries: readonly UndoEntry[]): void
}

/** What was done before, each with a button that undoes it, and one for all deletes. */
export function UndoList({ done, deletes, describe, onUndo }: UndoListProps) {
  return (
    <div className={styles.list}>
      {deletes.length > 1 && (
        <Button variant="ghost" className={styles.undoAll} onClick={() => onUndo(deletes)}>
          {t('Undo all ({count, number})', { count: deletes.length })}
        </Button>
      )}
      <ul>
        {done.toReversed().map((entry) => (
          <li key={entry.id} className={styles.item}>
            <span id={entry.id} className={styles.message}>
              <Text renderValue={cutName}>{describe(entry)}</Text>
            </span>
            {isUndo(entry) && (
              <Button variant="ghost" aria-describedby={entry.id} onClick={() => onUndo([entry])}>
                {t('Undo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
