import { passwordLength } from '../../contract/accounts.ts'

/**
 * Tells whether a password is among the most used and breached ones, without regard to case. The list comes with a
 * package and asks nobody; it is read when it is first needed.
 */
export function createCommonPasswordCheck() {
  let passwords: Promise<Set<string>> | undefined
  return async (password: string): Promise<boolean> => {
    passwords ??= loadPasswords()
    return (await passwords).has(password.toLowerCase())
  }
}

async function loadPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min))
}
