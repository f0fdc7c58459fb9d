import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/terminal.ts'

/**
 * Copies the repository to an empty folder, and adds two fields that the product does not have, by the recipe of CONTRIBUTING.md:
 * an optional text and an optional secret.
 */
export function copyWithMadeUpFields(folder: string): void {
  for (const name of readdirSync(root)) {
    if (!leftOut.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  // The caches of builds must not be shared.
  const packages = readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of packages) {
    const path = join(root, 'node_modules', name)
    const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path
    symlinkSync(target, join(folder, 'node_modules', name))
  }
  for (const [file, edits] of Object.entries(recipe)) writeFileSync(join(folder, file), edit(file, edits))
}

/** What is not needed, or linked. */
const leftOut = new Set(['.git', 'node_modules', 'data', 'dist', 'dist-firebase'])

type Edits = string | [before: string, added: string][]

/** Returns a new file, or the file of the repository with texts added behind others, which it has once. */
function edit(file: string, edits: Edits): string {
  if (typeof edits === 'string') return edits
  let text = readFileSync(join(root, file), 'utf8')
  for (const [before, added] of edits) {
    const parts = text.split(before)
    if (parts.length !== 2)
      throw new Error(`${file} has ${parts.length - 1} times ${JSON.stringify(before)}.`)
    text = parts.join(before + added)
  }
  return text
}

const nextMigration = (database: string) => {
  const folder = `server/storage/${database}/migrations`
  const last = Math.max(...readdirSync(join(root, folder)).map((name) => Number.parseInt(name, 10)))
  return `${folder}/${String(last + 1).padStart(4, '0')}-made-up-fields.sql`
}

const recipe: Record<string, Edits> = {
  'contract/employees.ts': [
    [
      "  password: { label: 'Password', isSecret: true },\n",
      "  note: { label: 'Note', isOptional: true },\n  pin: { label: 'PIN', isSecret: true, isOptional: true },\n",
    ],
  ],
  [nextMigration('sqlite')]:
    'ALTER TABLE books ADD COLUMN note TEXT;\nALTER TABLE books ADD COLUMN pin TEXT;\n',
  [nextMigration('postgres')]: 'ALTER TABLE books ADD COLUMN note bytea, ADD COLUMN pin bytea;\n',
  'web/records/model/fields.ts': [
    [
      "passphrase passwort kennwort motdepasse mdp contrasena clave senha wachtwoord losenord adgangskode passord пароль パスワード 密码 كلمةالمرور',\n  },\n",
      `  note: {
    noun: msg('note'),
    missing: msg('The note is missing.'),
    tooLong: msg('The note is too long.'),
    invalid: msg('The note contains invalid characters.'),
    headers: 'remark bemerkung',
  },
  pin: {
    noun: msg('PIN'),
    missing: msg('The PIN is missing.'),
    tooLong: msg('The PIN is too long.'),
    invalid: msg('The PIN contains invalid characters.'),
    headers: 'code',
  },
`,
    ],
  ],
  'firestore.rules': [
    [
      'isText(data.email) && isText(data.password)',
      "\n      && isOptionalText(data.get('note', '')) && isOptionalText(data.get('pin', ''))",
    ],
    ['function optionalNames() { return [', "'note', 'pin'"],
    ["function secretNames() { return ['password'", ", 'pin'"],
    ["return [data.get('password', null)", ", data.get('pin', '')"],
  ],
}
