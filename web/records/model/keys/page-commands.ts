const modifierKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

interface Command {
  label: string
  /** A letter, or a letter with the modifier key; none if there is no shortcut. */
  keys: readonly string[]
}

const withModifier = (letter: string) => [modifierKey, letter]

/** What can be done anywhere on the page. The shortcuts, their list, the account menu and the command menu come from it. */
export const pageCommands = {
  search: { label: 'Search', keys: ['/'] },
  newRecord: { label: 'New record', keys: ['n'] },
  undo: { label: 'Undo the last change', keys: withModifier('Z') },
  commands: { label: 'Commands and records', keys: withModifier('K') },
  import: { label: 'Import', keys: [] },
  export: { label: 'Export', keys: [] },
  emergency: { label: 'Emergency file', keys: [] },
  password: { label: 'Change password', keys: [] },
  sessions: { label: 'Sessions and passkeys', keys: [] },
  team: { label: 'Team', keys: [] },
  deleted: { label: 'Recently deleted', keys: [] },
  shortcuts: { label: 'Keyboard shortcuts', keys: ['?'] },
  help: { label: 'Help', keys: [] },
  logout: { label: 'Logout', keys: [] },
} as const satisfies Record<string, Command>

export type PageCommand = keyof typeof pageCommands

/** What the commands do that are possible. */
export type PageActions = Partial<Record<PageCommand, (() => void) | undefined>>

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
