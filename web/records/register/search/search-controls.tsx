import type { Ref } from 'react'
import { type Message, msg, t } from '../../../language/translate.ts'
import { isolateText } from '../../../lib/isolate.ts'
import { Button } from '../../../ui/button.tsx'
import chipStyles from '../../../ui/chip.module.css'
import { Icon } from '../../../ui/icon.tsx'
import { IconSelect } from '../../../ui/icon-select.tsx'
import { renderHidden, Text } from '../../../ui/message.tsx'
import type { Issue, PasswordIssues } from '../../model/search/search-params.ts'
import { formatSort, issues, parseSort, sortKeys } from '../../model/search/search-params.ts'
import { describeSort } from '../../model/search/sort.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import styles from './search-controls.module.css'

interface IssueChipsProps {
  search: SearchResult
  /** Null while they are not known. */
  found: PasswordIssues | null
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
  const shown = issues.filter((issue) => issue === selected || (found && found[issue].size > 0))
  if (!found || shown.length === 0) return null
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
        <button
          type="button"
          className={`${chipStyles.chip} ${styles.start}`}
          aria-label={t('Start changing these passwords')}
          onClick={onStart}
        >
          {t('Start')}
        </button>
      )}
    </fieldset>
  )
}

/** Offers every sort order; those of the columns stand in the headers of the table too, where it has any. */
export function SortSelect({ search, hasChangeTimes }: { search: SearchResult; hasChangeTimes: boolean }) {
  const { searchParams, setSearchParams } = search
  const offered = sortKeys.filter((by) => by !== 'changed' || hasChangeTimes)
  // The latest changes are wanted more often than the oldest.
  const orders = offered.flatMap((by) =>
    [by === 'changed', by !== 'changed'].map((descending) => ({ by, descending })),
  )
  return (
    <IconSelect
      className={styles.sort}
      icon="arrow-up-down"
      label={t('Sort')}
      value={formatSort(searchParams.sort)}
      options={Object.fromEntries(orders.map((order) => [formatSort(order), describeSort(order)]))}
      onChange={(order) => setSearchParams({ ...searchParams, sort: parseSort(order) })}
    />
  )
}

export function ShowAllButton({ ref, search }: { ref?: Ref<HTMLButtonElement>; search: SearchResult }) {
  return (
    <Button ref={ref} onClick={search.showAll}>
      {t('Show all records')}
    </Button>
  )
}
