import { useSyncExternalStore } from 'react'
import { t } from '../../../language/translate.ts'
import { listen } from '../../../lib/dom.ts'
import { useRootAttribute } from '../../../lib/use-root-attribute.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Menu, MenuItem } from '../../../ui/menu/menu.tsx'
import { Text } from '../../../ui/message.tsx'
import { useCloseOnEscape } from '../../model/keys/use-page-shortcuts.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import { type SelectionActions, useSelectionCommands } from '../../model/selection/use-selection-commands.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  selection: Selection
  actions: SelectionActions
}

type Commands = ReturnType<typeof useSelectionCommands>
type CommandName = Exclude<keyof Commands, 'clear'>

const icons: Record<CommandName, IconName> = {
  changePasswords: 'wand-sparkles',
  handOver: 'send',
  copyEmails: 'at-sign',
  export: 'download',
  copy: 'copy',
  delete: 'trash',
}

/** Where each button is on a wide screen; those at the end are in the place of buttons for the whole list. */
const wideButtons = { start: ['changePasswords', 'handOver'], end: ['export', 'copy', 'delete'] } as const

/** The buttons on a narrow screen, icons alone; the menu has all commands. */
const narrowButtons = ['changePasswords', 'handOver', 'delete'] as const

/**
 * What can be done with the selected records. On a wide screen in the place of the summary of the table, and of the buttons for the
 * whole list; on a narrow one at the bottom, so that the rows stay where they are.
 */
export function SelectionBar({ selection, actions }: SelectionBarProps) {
  const { records, hiddenCount, outcome, clear } = selection
  const { clear: clearCommand, ...commands } = useSelectionCommands(selection, actions)
  const isNarrow = useIsNarrow()
  useCloseOnEscape(true, clear)
  useRootAttribute('data-bottom-bar', isNarrow)

  const count = (
    <p className={styles.count}>
      <Text>
        <strong>{t('{count, plural, other {# selected}}', { count: records.length })}</strong>{' '}
        {hiddenCount > 0 && t('{count, plural, other {# not shown}}', { count: hiddenCount })}
      </Text>
    </p>
  )
  const clearButton = <IconButton icon="x" aria-label={clearCommand.label} onClick={clear} />
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      role="group"
      aria-label={t('Selected records')}
      className={`${styles.bar} ${isNarrow ? styles.narrow : ''}`}
    >
      {isNarrow ? (
        <>
          {clearButton}
          {count}
          {narrowButtons.map((name) =>
            renderIconButton(name, commands[name], name === 'changePasswords' ? t('Passwords') : undefined),
          )}
          {renderMenu(commands, selection)}
        </>
      ) : (
        <>
          <SelectAll selection={selection} />
          {count}
          {clearButton}
          <div className={styles.buttons}>
            {wideButtons.start.map((name) => renderButton(name, commands[name]))}
            {renderIconButton('copyEmails', commands.copyEmails)}
          </div>
          <div className={styles.end}>
            {wideButtons.end.map((name) => renderButton(name, commands[name]))}
          </div>
        </>
      )}
      <span role="status" className={styles.outcome}>
        <Text>{outcome}</Text>
      </span>
    </div>
  )
}

type Command = Commands[CommandName]

function renderButton(name: CommandName, { label, run }: Command) {
  if (!run) return null
  return (
    <Button key={name} className={name === 'delete' ? styles.delete : undefined} onClick={run}>
      <Icon name={icons[name]} />
      <span>{label}</span>
    </Button>
  )
}

/** `word`: shorter than the label, below the icon on a narrow screen. */
function renderIconButton(name: CommandName, { label, run }: Command, word = label) {
  if (!run) return null
  return (
    <IconButton
      key={name}
      icon={icons[name]}
      className={styles[name]}
      aria-label={label}
      data-word={word}
      onClick={run}
    />
  )
}

/** All commands, in words. */
function renderMenu(commands: Omit<Commands, 'clear'>, { isAll, selectAll }: Selection) {
  const names = Object.keys(icons) as CommandName[]
  return (
    <Menu icon="ellipsis" label={t('More actions')} menuClass={styles.menu}>
      {!isAll && (
        <MenuItem icon={null} onPress={selectAll}>
          {t('Select all')}
        </MenuItem>
      )}
      {names.map((name) => {
        const { label, run } = commands[name]
        if (!run) return null
        return (
          <MenuItem key={name} icon={icons[name]} isDangerous={name === 'delete'} onPress={run}>
            {label}
          </MenuItem>
        )
      })}
    </Menu>
  )
}

const narrowScreen = '(width < 44rem)'

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => listen(matchMedia(narrowScreen), 'change', onChange),
    () => matchMedia(narrowScreen).matches,
  )
}

/** Selects all rows of the table; where all are selected, none. */
function SelectAll({ selection: { isAll, selectAll, clear } }: { selection: Selection }) {
  return (
    <input
      type="checkbox"
      className={styles.all}
      aria-label={t('Select all')}
      ref={(input) => {
        if (input) input.indeterminate = !isAll
      }}
      checked={isAll}
      onChange={isAll ? clear : selectAll}
    />
  )
}
