/** The words of the chips above the table. */

export const legend = 'Passwords to replace'
/** Follows the number and the issue. */
export const passwords = (count: number) => (count === 1 ? ' password' : ' passwords')
