/** Why a password should be replaced. `old` belongs here as soon as records tell when their password was changed. */
export const issues = ['weak', 'reused'] as const

export type Issue = (typeof issues)[number]

/** The ids of the records whose password has the issue. */
export type PasswordIssues = Readonly<Record<Issue, ReadonlySet<string>>>
