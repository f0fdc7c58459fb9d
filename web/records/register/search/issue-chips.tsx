import { type Message, msg, t } from '../../../language/translate.ts'
import { isolateText } from '../../../lib/isolate.ts'
import chipStyles from '../../../ui/chip.module.css'
import { Icon } from '../../../ui/icon.tsx'
import { renderHidden, Text } from '../../../ui/message.tsx'
import { type Issue, issues, type PasswordIssues } from '../../model/search/search-params.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { countRows } from '../../model/search/visible-rows.ts'
import styles from './issue-chips.module.css'

interface IssueChipsProps {
  search: SearchResult
  found: PasswordIssues
  /** Starts to replace the passwords of the records in the table; null if there are none, or during a run. */
  onStart: (() => void) | null
}

const issueCounts: Record<Issue, Message> = {
  weak: msg(
    '{count, plural, one {# weak<hidden> password</hidden>} other {# weak<hidden> passwords</hidden>}}',
  ),
  reused: msg(
    '{count, plural, one {# reused<hidden> password</hidden>} other {# reused<hidden> passwords</hidden>}}',
  ),
  old: msg('{count, plural, one {# old<hidden> password</hidden>} other {# old<hidden> passwords</hidden>}}'),
}

/** The number of passwords with each issue. A press narrows the table to them, the next one shows all records again. */
export function IssueChips({ search, found, onStart }: IssueChipsProps) {
  const { searchParams, setSearchParams } = search
  const selected = searchParams.issue
  const shown = issues.filter((issue) => issue === selected || found[issue].size > 0)
  if (shown.length === 0) return null
  return (
    <fieldset className={styles.chips}>
      <legend className="visually-hidden">{t('Passwords to replace')}</legend>
      {shown.map((issue) => {
        const isSelected = issue === selected
        const count = found[issue].size
        return (
          <button
            key={issue}
            type="button"
            className={chipStyles.chip}
            aria-pressed={isSelected}
            onClick={() => setSearchParams({ ...searchParams, issue: isSelected ? null : issue })}
          >
            <Text renderValue={renderHidden}>{t(issueCounts[issue], { count, hidden: isolateText })}</Text>
            {isSelected && <Icon name="x" />}
          </button>
        )
      })}
      {selected && onStart && !searchParams.leaver && (
        <button type="button" className={`${chipStyles.chip} ${styles.start}`} onClick={onStart}>
          {t('Change {count, number}…', { count: countRows(search.rows) })}
        </button>
      )}
    </fieldset>
  )
}
