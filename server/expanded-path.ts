import { OperatorError } from './app-error.ts'

/** `${NAME}`, and at the beginning `~` or `~name`, `$NAME`, `%NAME%` and `%h`: shells or systemd expand them, files of settings don't. */
const unexpandedPattern = /^(?:~[\w.-]*|\$[A-Za-z_]\w*|%\w+%|%[A-Za-z])(?=[\\/]|$)|\$\{[A-Za-z_]\w*\}/

/**
 * Returns the path. Throws an `OperatorError` if it has what a shell would have expanded: otherwise a folder of that name
 * would be created inside of the current one, and the next start from another folder would find an empty register.
 */
export function requireExpandedPath(name: string, path: string): string {
  const [unexpanded] = unexpandedPattern.exec(path) ?? []
  if (unexpanded === undefined) return path
  throw new OperatorError(
    `${name} is "${path}", but nothing has replaced the "${unexpanded}" in it. Write the whole path, such as /var/lib/staffbook, or ./${path} for a folder of that name.`,
  )
}
