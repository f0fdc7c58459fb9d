import { passwordLength } from '../../contract/accounts.ts'

/**
 * Tells whether a password is among the most used and breached ones, without regard to case. The list comes with a
 * package and asks nobody; it is read when it is first needed.
 */
export function createCommonPasswords() {
  let list: Promise<Set<string>> | undefined
  return async (password: string): Promise<boolean> => {
    list ??= readList()
    return (await list).has(password.toLowerCase())
  }
}

async function readList(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min))
}
