import { parseArgs } from 'node:util'
import { askSecret } from '../../server/operator/prompt.ts'
import { ServiceError } from '../../web/services/ports.ts'
import { say } from '../terminal.ts'
import { carry, MoveError } from './carry.ts'
import { openEnd } from './ends.ts'

const help = `Usage: npm run move -- <from> <to> [--from-email <email>] [--to-email <email>]

Carries all records, in order, and changes nothing where they come from. <from> and <to> are each one of
  firebase               the project that VITE_FIREBASE_* name, in the environment or in .env.local
  http://127.0.0.1:3000  the address of a Staffbook server
  register.json          a file; the passwords stand in it as they are
Passwords are asked for, or taken from FROM_PASSWORD and TO_PASSWORD. Stopped in the middle, say it again.`

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'from-email': { type: 'string' }, 'to-email': { type: 'string' } },
  })
  const [source, target, ...others] = positionals
  if (!source || !target || others.length > 0) {
    console.error(help)
    return 2
  }
  const from = await openEnd(source, asking(source, values['from-email'], process.env.FROM_PASSWORD))
  const to = await openEnd(target, asking(target, values['to-email'], process.env.TO_PASSWORD))
  const { records, brought } = await carry(from, to)
  await Promise.all([from.close(), to.close()])
  console.log(`${target} holds the ${records} records of ${source}; ${brought} were brought now.`)
  return 0
}

function asking(end: string, email: string | undefined, password: string | undefined) {
  return async () => {
    if (!email) throw new MoveError(`Who signs in at ${end}? Say it with --from-email or --to-email.`)
    return { email, password: password ?? (await askSecret(`Password of ${email} at ${end}: `)) }
  }
}

const code = await main().catch((error) => {
  const isForPeople = error instanceof MoveError || error instanceof ServiceError
  say(isForPeople ? error.message : (error.stack ?? error.message))
  return 1
})
// Firestore's library keeps its lines open for a while; what was asked for is done.
process.exit(code)
