import { t } from '../../../language/translate.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { useCloseOnEscape } from '../../model/keys/use-page-shortcuts.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import type { SelectionCommands } from '../../model/selection/use-selection-commands.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  selection: Selection
  selected: SelectionCommands
}

export function SelectionBar({ selection, selected }: SelectionBarProps) {
  const { hiddenCount, clear } = selection
  const { clear: clearCommand, ...commands } = selected.commands
  useCloseOnEscape(true, clear)

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label={t('Selected records')} className={styles.bar}>
      <p className={styles.count}>
        <Text>
          <strong>{t('{count, plural, other {# selected}}', { count: selected.count })}</strong>{' '}
          {hiddenCount > 0 && t('{count, plural, other {# not shown}}', { count: hiddenCount })}
        </Text>
      </p>
      <div className={styles.buttons}>
        {Object.entries(commands).map(
          ([name, { label, run }]) =>
            run && (
              <Button key={name} className={name === 'delete' ? styles.delete : undefined} onClick={run}>
                {label}
              </Button>
            ),
        )}
      </div>
      <IconButton icon="x" aria-label={clearCommand.label} onClick={clear} />
      <span role="status" className={styles.outcome}>
        <Text>{selected.outcome}</Text>
      </span>
    </div>
  )
}
