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

/** What is not needed, or linked. */
const leftOut = new Set(['.git', 'node_modules', 'data', 'dist', 'dist-firebase'])

/** Texts of a file and what replaces them; each is there once. Or the whole file; or a function that changes its JSON. */
type Edits = [text: string, replacement: string][] | string | ((json: Json) => Json)
// biome-ignore lint/suspicious/noExplicitAny: the files have schemas of their own
type Json = any

function edit(file: string, edits: Edits): string {
  if (typeof edits === 'string') return edits
  const original = readFileSync(join(root, file), 'utf8')
  if (typeof edits === 'function') return JSON.stringify(edits(JSON.parse(original)), null, 2)
  return edits.reduce((edited, [text, replacement]) => {
    const parts = edited.split(text)
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${JSON.stringify(text)}.`)
    return parts.join(replacement)
  }, original)
}

function nextMigration(database: string): string {
  const folder = `server/storage/${database}/migrations`
  const last = Math.max(...readdirSync(join(root, folder)).map((name) => Number.parseInt(name, 10)))
  return `${folder}/${String(last + 1).padStart(4, '0')}-made-up-fields.sql`
}

const texts = ['Note', 'PIN', 'note'].concat(
  ['note', 'PIN'].flatMap((noun) => [
    `The ${noun} is missing.`,
    `The ${noun} is too long.`,
    `The ${noun} contains invalid characters.`,
  ]),
)
const addTexts = (catalog: Json) => ({ ...Object.fromEntries(texts.map((text) => [text, text])), ...catalog })

const viewOf = (noun: string, headers: string) => `
    noun: msg('${noun}'),
    missing: msg('The ${noun} is missing.'),
    tooLong: msg('The ${noun} is too long.'),
    invalid: msg('The ${noun} contains invalid characters.'),
    headers: '${headers}',
`

/** What CONTRIBUTING.md says of a field of a record, by file, without the documents. */
const recipe: Record<string, Edits> = {
  'contract/employees.ts': [
    [
      "label: 'Password', isSecret: true },\n",
      `label: 'Password', isSecret: true },
  note: { label: 'Note', isOptional: true },
  pin: { label: 'PIN', isSecret: true, isOptional: true },
`,
    ],
  ],
  [nextMigration('sqlite')]:
    'ALTER TABLE books ADD COLUMN note ANY;\nALTER TABLE books ADD COLUMN pin ANY;\n',
  [nextMigration('postgres')]: 'ALTER TABLE books ADD COLUMN note bytea, ADD COLUMN pin bytea;\n',
  'web/records/model/fields.ts': [
    [
      '\n}\n\n/** The field that stands for the whole record',
      `\n  note: {${viewOf('note', 'remark')}  },
  pin: {${viewOf('PIN', 'code')}  },
}

/** The field that stands for the whole record`,
    ],
  ],
  ...Object.fromEntries(
    readdirSync(join(root, 'web/language/catalogs')).map((file) => [
      `web/language/catalogs/${file}`,
      addTexts,
    ]),
  ),
  'firestore.rules': [
    [
      'isText(data.email) && isText(data.password)',
      `isText(data.email) && isText(data.password)
      && isOptionalText(data.get('note', '')) && isOptionalText(data.get('pin', ''))`,
    ],
    ['function optionalNames() { return []', "function optionalNames() { return ['note', 'pin']"],
    ["function secretNames() { return ['password']", "function secretNames() { return ['password', 'pin']"],
    ["return [data.get('password', null)]", "return [data.get('password', null), data.get('pin', '')]"],
    ['data.text.size() <= 241334', 'data.text.size() <= 401334'],
  ],
  'firestore.indexes.json': ({ fieldOverrides, ...others }) => ({
    ...others,
    fieldOverrides: [
      ...fieldOverrides,
      ...['note', 'pin'].map((fieldPath) => ({ collectionGroup: 'books', fieldPath, indexes: [] })),
      { collectionGroup: 'previous', fieldPath: 'pin', indexes: [] },
    ],
  }),
}

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
