import { OperatorError } from '../app-error.ts'
import { checkProvider } from '../auth/sso/check.ts'
import { readSso } from '../config.ts'
import type { Command } from './command.ts'

export const ssoCommands: Command[] = [
  {
    usage: 'sso check',
    summary:
      'asks the provider of OIDC_ISSUER for its addresses, keys and clock, whether it knows this client, and says what is wrong',
    async run({ terminal }) {
      const settings = readSso(terminal.env)
      if (!settings) throw new OperatorError('OIDC_ISSUER is not set, so there is no single sign-on.')
      const { problems, facts } = await checkProvider(settings)
      const lines = [...facts, ...problems.map((problem) => `Problem: ${problem}`)]
      return { json: { problems, facts }, text: lines.join('\n'), failed: problems.length > 0 }
    },
  },
]
