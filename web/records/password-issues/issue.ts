/** Why a password should be replaced. */
export const issues = ['weak', 'reused'] as const

export type Issue = (typeof issues)[number]

/** The ids of the records whose password has the issue. */
export type PasswordIssues = Readonly<Record<Issue, ReadonlySet<string>>>

/** The words of the chips above the table. */
export const legend = 'Passwords to replace'
/** Follows the number and the issue. */
export const passwords = (count: number) => (count === 1 ? ' password' : ' passwords')
