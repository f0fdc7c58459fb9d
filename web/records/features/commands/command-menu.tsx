import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useState,
} from 'react'
import { t } from '../../../language/translate.ts'
import { actAfter, noAutofill } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import {
  getShortcutKey,
  hasModifier,
  isCommandKey,
  isForComposition,
} from '../../../lib/presses/key-press.ts'
import { keysAhead } from '../../../lib/presses/keys-ahead.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import initialsStyles from '../../../ui/initials.module.css'
import { Key } from '../../../ui/key/key.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { Name, Text } from '../../../ui/message.tsx'
import { pageCommands } from '../../model/keys/page-commands.ts'
import styles from './command-menu.module.css'
import { type Option, type OptionSource, useOptions } from './use-options.ts'

interface CommandMenuProps extends OptionSource {
  onClose(): void
}

/** With the key for commands it opens the menu, and closes it. */
const commandsKey = pageCommands.commands.keys.at(-1)?.toLowerCase()

/** What is listed: what matches a query, of all or of what can be done with a record. */
interface Place {
  query: string
  recordId: string | null
  activeIndex: number | null
}

/**
 * Finds commands by their labels and records by name or email, and runs or shows the chosen one. The arrow to the end lists what
 * can be done with a record, the other one goes back.
 */
export function CommandMenu({ onClose, ...source }: CommandMenuProps) {
  const [place, setPlace] = useState<Place>({ query: '', recordId: null, activeIndex: null })
  const [outerPlace, setOuterPlace] = useState(place)
  const listId = useId()
  const shown = useShownPlace(place)
  const options = useOptions(shown.query, shown.recordId, source)
  const active = findActive(options, place)
  // What Enter runs: a query has a best match, an empty one has none.
  const next = active ?? (shown.query.trim() ? options[0] : undefined)
  const label = t(pageCommands.commands.label)
  const liveRegion = useAnnounceOptions(shown.query, options)
  const enter = useEnter(place, setPlace, shown, () => next && choose(next))

  function choose({ run }: Option) {
    // What it opens replaces this dialog.
    onClose()
    run()
  }

  function open(option: Option) {
    setOuterPlace({ ...place, activeIndex: options.indexOf(option) })
    setPlace({ query: '', recordId: option.id, activeIndex: 0 })
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (isForComposition(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const way = hasModifier(event.nativeEvent) ? undefined : findWay(event)
    if (step) setPlace({ ...place, activeIndex: findNeighbour(options, next, step) })
    else if (isCommandKey(event.nativeEvent) && getShortcutKey(event) === commandsKey) onClose()
    else if (event.key === 'Enter' && !event.repeat) enter(place)
    else if (way === 'forward' && next?.name) open(next)
    else if (way === 'back' && place.recordId !== null) setPlace(outerPlace)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={label} size="bare" onClose={onClose}>
      <CommandField
        listId={listId}
        label={label}
        place={place}
        active={active}
        onQuery={(query) => setPlace({ ...place, query, activeIndex: null })}
        onKeyDown={onKeyDown}
      />
      <OptionList
        id={listId}
        label={label}
        options={options}
        isForRecord={shown.recordId !== null}
        active={active}
        next={next}
        onChoose={choose}
      />
      {liveRegion}
    </Dialog>
  )
}

const findActive = (options: readonly Option[], { activeIndex }: Place) =>
  activeIndex === null ? undefined : options[Math.min(activeIndex, options.length - 1)]

/** Returns what Enter does: it waits for what the query finds, unless something else is typed meanwhile. */
function useEnter(place: Place, setPlace: (place: Place) => void, shown: Place, choose: () => void) {
  const [entered, setEntered] = useState<Place | null>(null)
  useKeysAhead(place, setPlace, setEntered)
  const chooseShown = useEffectEvent(choose)
  useEffect(() => {
    if (entered !== place || shown.query !== place.query) return
    setEntered(null)
    chooseShown()
  }, [entered, place, shown])
  return setEntered
}

/** Types what was typed before this code was there. */
function useKeysAhead(place: Place, setPlace: (place: Place) => void, enter: (place: Place) => void) {
  const typeAhead = useEffectEvent((query: string, isEntered: boolean) => {
    const typed = { ...place, query }
    setPlace(typed)
    if (isEntered) enter(typed)
  })
  useLayoutEffect(() => {
    const keys = keysAhead.splice(0)
    const entered = keys.indexOf('Enter')
    const typed: string[] = []
    for (const key of entered < 0 ? keys : keys.slice(0, entered)) {
      if (key === 'Backspace') typed.pop()
      else if (key !== 'Delete') typed.push(key)
    }
    if (keys.length > 0) typeAhead(typed.join(''), entered >= 0)
  }, [])
}

/** What a query finds may come later; what a key has opened is there for the next key. */
function useShownPlace(place: Place): Place {
  const deferred = useDeferredValue(place)
  return deferred.recordId === place.recordId ? deferred : place
}

interface CommandFieldProps {
  listId: string
  label: string
  place: Place
  active: Option | undefined
  onQuery(query: string): void
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void
}

function CommandField({ listId, label, place, active, onQuery, onKeyDown }: CommandFieldProps) {
  return (
    <input
      type="text"
      role="combobox"
      className={styles.input}
      aria-label={label}
      aria-expanded={true}
      aria-controls={listId}
      aria-autocomplete="list"
      // Only once the user has chosen it: a screen reader would read the option instead of the field, and leave it.
      aria-activedescendant={active && `${listId}-${active.id}`}
      placeholder={place.recordId === null ? t('Command, name or email') : t('What to do with this record')}
      data-first
      {...noAutofill}
      value={place.query}
      onChange={({ target }) => onQuery(target.value)}
      onKeyDown={onKeyDown}
    />
  )
}

/** The key that points to the end of the line. */
const forwardKey = () => (getComputedStyle(document.body).direction === 'ltr' ? 'ArrowRight' : 'ArrowLeft')

/** Where a key leads that can't move the caret any further. */
function findWay({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) {
  const { value, selectionStart, selectionEnd } = currentTarget
  if (selectionStart !== selectionEnd) return
  if (key === forwardKey() && selectionEnd === value.length) return 'forward'
  const isBack = key === 'Backspace' || (key.startsWith('Arrow') && key !== forwardKey())
  if (isBack && selectionStart === 0) return 'back'
}

/** The index beside the marked option, or else at the edge of the list. */
function findNeighbour(options: readonly Option[], marked: Option | undefined, step: number): number {
  const index = marked ? options.indexOf(marked) : step > 0 ? -1 : 0
  return (index + step + options.length) % Math.max(1, options.length)
}

interface OptionListProps {
  id: string
  label: string
  options: readonly Option[]
  /** They are those of one record, which is the group. */
  isForRecord: boolean
  active: Option | undefined
  /** What Enter runs. */
  next: Option | undefined
  onChoose(option: Option): void
}

function OptionList({ id, label, options, isForRecord, active, next, onChoose }: OptionListProps) {
  return (
    <>
      <div role="listbox" id={id} aria-label={label} className={styles.list}>
        {Object.entries(Object.groupBy(options, ({ group }) => group)).map(([group, grouped = []], index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
          <div key={group} role="group" aria-labelledby={`${id}-${index}`}>
            <p id={`${id}-${index}`} className={styles.group} aria-hidden="true">
              {isForRecord ? <bdi translate="no">{group}</bdi> : group}
            </p>
            {grouped.map((option) => (
              <OptionItem
                key={option.id}
                option={option}
                id={`${id}-${option.id}`}
                isActive={option === active}
                isNext={option === next}
                onChoose={() => onChoose(option)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={styles.nothing}>
        <Text>{options.length === 0 ? t('Nothing found.') : ''}</Text>
      </p>
    </>
  )
}

/** Debounce of the announcement, in ms, so that not every keystroke is announced. */
const announceDelayMs = 700

/** Announces what Enter would run, and among how many options it is, when the typing pauses. */
function useAnnounceOptions(query: string, options: readonly Option[]): ReactNode {
  const { liveRegion, announce } = useLiveRegion()
  const announceOptions = useEffectEvent(() => {
    const [first] = options
    const values = { option: isolate(first?.name ?? first?.label ?? ''), count: options.length }
    announce(
      first
        ? t('{count, plural, one {{option}, the only match} other {{option}, first of #}}', values)
        : t('Nothing found.'),
    )
  })
  useEffect(() => {
    if (query.trim()) return actAfter(announceDelayMs, announceOptions)
    announce(null)
  }, [query, announce])
  return liveRegion
}

interface OptionItemProps {
  option: Option
  id: string
  isActive: boolean
  /** Enter runs it. */
  isNext: boolean
  onChoose(): void
}

function OptionItem({ option, id, isActive, isNext, onChoose }: OptionItemProps) {
  const { label, name, initials, icon, scope, keys } = option
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      data-next={isNext}
      ref={isActive ? (element) => element?.scrollIntoView({ block: 'nearest' }) : null}
      onClick={onChoose}
    >
      {icon && <Icon name={icon} className={styles.icon} />}
      {initials && (
        <span
          className={`${initialsStyles.initials} ${styles.initials}`}
          data-initials={initials.text}
          data-color={initials.color}
        />
      )}
      {name ? <Name>{name}</Name> : <span>{label}</span>}
      <span className={name ? styles.detail : styles.hint}>
        {name ? <bdi translate="no">{label}</bdi> : (scope ?? keys.map((key) => <Key key={key}>{key}</Key>))}
      </span>
      {name && isNext && (
        <span className={styles.more} aria-hidden="true">
          <Key>{forwardKey() === 'ArrowRight' ? '→' : '←'}</Key>
        </span>
      )}
    </div>
  )
}
