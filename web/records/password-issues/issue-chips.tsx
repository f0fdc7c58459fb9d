import chipStyles from '../../ui/chip.module.css'
import { Icon } from '../../ui/icon.tsx'
import { type Issue, issues, legend, type PasswordIssues, passwords } from './issue.ts'
import styles from './issue-chips.module.css'

interface IssueChipsProps {
  /** Null while they are not known. */
  found: PasswordIssues | null
  selected: Issue | null
  onSelect(issue: Issue | null): void
}

/** The number of passwords with each issue. A press narrows the table to them, the next one shows all records again. */
export function IssueChips({ found, selected, onSelect }: IssueChipsProps) {
  const shown = issues.filter((issue) => issue === selected || (found && found[issue].size > 0))
  if (!found || shown.length === 0) return null
  return (
    <fieldset className={styles.chips}>
      <legend className="visually-hidden">{legend}</legend>
      {shown.map((issue) => {
        const isSelected = issue === selected
        const count = found[issue].size
        return (
          <button
            key={issue}
            type="button"
            className={chipStyles.chip}
            aria-pressed={isSelected}
            onClick={() => onSelect(isSelected ? null : issue)}
          >
            <span>
              {count.toLocaleString()} {issue}
              <span className="visually-hidden">{passwords(count)}</span>
            </span>
            {isSelected && <Icon name="x" />}
          </button>
        )
      })}
    </fieldset>
  )
}
