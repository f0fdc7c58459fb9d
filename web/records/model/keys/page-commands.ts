import { type Message, msg } from '../../../language/translate.ts'

const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

interface Command {
  label: Message
  /** A letter, or a letter with the modifier key; none if there is no shortcut. */
  keys: readonly string[]
}

const withModifier = (letter: string) => [modifierKey, letter]

/** What can be done anywhere on the page. The shortcuts, their list, the account menu and the command menu come from it. */
export const pageCommands = {
  search: { label: msg('Search'), keys: ['/'] },
  newRecord: { label: msg('New record'), keys: ['n'] },
  undo: { label: msg('Undo the last change'), keys: withModifier('Z') },
  commands: { label: msg('Commands and records'), keys: withModifier('K') },
  import: { label: msg('Import'), keys: [] },
  export: { label: msg('Export'), keys: [] },
  emergency: { label: msg('Emergency file'), keys: [] },
  password: { label: msg('Change password'), keys: [] },
  sessions: { label: msg('Sessions and passkeys'), keys: [] },
  team: { label: msg('Team'), keys: [] },
  activity: { label: msg('Activity'), keys: [] },
  deleted: { label: msg('Recently deleted'), keys: [] },
  shortcuts: { label: msg('Keyboard shortcuts'), keys: ['?'] },
  help: { label: msg('Help'), keys: [] },
  logout: { label: msg('Logout'), keys: [] },
} as const satisfies Record<string, Command>

export type PageCommand = keyof typeof pageCommands

/** What the commands do; null for those that are not possible now. */
export type PageActions = Record<PageCommand, (() => void) | null>

export const commandNames = Object.keys(pageCommands) as PageCommand[]

/** The command of a letter, pressed with or without the modifier key. */
export const findCommand = (letter: string, hasModifier: boolean): PageCommand | undefined =>
  commandNames.find((name) => {
    const keys: readonly string[] = pageCommands[name].keys
    return keys.length === (hasModifier ? 2 : 1) && keys.at(-1)?.toLowerCase() === letter
  })

/** The list of shortcuts shows it after those of the commands. */
export const findShortcut = withModifier('F')
export const selectAllShortcut = withModifier('A')
