import { expect, test } from 'vitest'
import { finish } from '../../../../../../../tests/support/steps.ts'
import { previewInSteps, proposeOptions } from '../../../preview.ts'
import { parseSource } from '../../parse-source.ts'

/** The records that a pasted text would add, and whether anything is asked about it. */
async function readPaste(text: string) {
  const source = await parseSource(text)
  const { rows, doubts } = finish(previewInSteps(source, proposeOptions(source), []))
  const added = rows.map(({ outcome, fields }) =>
    outcome === 'new' ? Object.values(fields).join('|') : outcome,
  )
  return { added, isAsked: (source.doubts ?? []).length + doubts.length > 0 }
}

const both = ['Ada Lovelace|ada@a.org|x1', 'Bob Hope|bob@a.org|y,2']
const people = both.map((person) => person.split('|'))
const write = (writeOne: (name: string, email: string, password: string) => string, separator = '\n') =>
  people.map(([name = '', email = '', password = '']) => writeOne(name, email, password)).join(separator)

test.each([
  ['a list in a list', write((name, email, password) => `- ${name}\n  - ${email}\n  - ${password}`)],
  [
    'a list with labels in a list',
    write((name, email, password) => `* **${name}**\n    * Email: ${email}\n    * Password: ${password}`),
  ],
  [
    'a list below numbers',
    write((name, email, password) => `1. ${name}:\n   - **Email**: ${email}\n   - **Password:** ${password}`),
  ],
  [
    'a list below headings',
    write((name, email, password) => `## ${name}\n\n- Email: ${email}\n- Password: ${password}\n`),
  ],
  [
    'a list with labels only',
    write((name, email, password) => `- Name: ${name}\n  - Email: ${email}\n  - Password: ${password}`),
  ],
  [
    'two columns of labels and values',
    write((name, email, password) => `name     ${name}\nemail    ${email}\npassword ${password}`, '\n\n'),
  ],
  [
    'records of psql without borders',
    write((name, email, password) => `* Record 1\nname     ${name}\nemail    ${email}\npassword ${password}`),
  ],
  [
    'records of ClickHouse',
    write(
      (name, email, password) =>
        `Row 1:\n──────\nname:     ${name}\nemail:    ${email}\npassword: ${password}`,
      '\n\n',
    ),
  ],
  ['a table of Jira', `||Name||Email||Password||\n${write((...cells) => `|${cells.join('|')}|`)}`],
  [
    'a table of MediaWiki',
    `{| class="wikitable"\n|+ Staff\n! Name !! style="x"| Email !! Password\n${write((...cells) => `|-\n| ${cells.join(' || ')}`)}\n|}`,
  ],
  [
    'cells of MediaWiki on a line each',
    `{|\n! Name\n! Email\n! Password\n${write((...cells) => `|-\n| ${cells.join('\n| ')}`)}\n|}`,
  ],
  [
    'a table of AsciiDoc',
    `[cols="1,1,1"]\n|===\n|Name |Email |Password\n\n${write((...cells) => `|${cells.join(' |')}`)}\n|===`,
  ],
  [
    'cells of AsciiDoc on a line each',
    `|===\n|Name |Email |Password\n${write((...cells) => `|${cells.join('\n|')}`)}\n|===`,
  ],
])('%s is read', async (_, text) => {
  expect(await readPaste(text)).toEqual({ added: both, isAsked: false })
})

test.each([
  ['values of SQL', write((...cells) => `('${cells.join("', '")}')`, ',\n')],
  ['values of SQL behind the word', `VALUES\n${write((...cells) => `  ('${cells.join("','")}')`, ',\n')};`],
  ['tuples of a program', `users = [\n${write((...cells) => `  ("${cells.join('", "')}",),`)}\n]`],
  [
    'blocks of Terraform',
    write(
      (name, email, password) =>
        `resource "user" "u" {\n  name     = "${name}"\n  email    = "${email}"\n  password = "${password}"\n}\n`,
    ),
  ],
  [
    'maps in a map of Terraform',
    `users = {\n${write((name, email, password) => `  ${name[0]} = {\n    name = "${name}"\n    email = "${email}"\n    password = "${password}"\n  }`)}\n}`,
  ],
  [
    'maps called by the names',
    `users = {\n${write((name, email, password) => `  "${name}" = { email = "${email}", password = "${password}" }`)}\n}`,
  ],
  [
    'hashes of Ruby',
    `[${write((name, email, password) => `{ :name => "${name}", "email" => "${email}", :password => "${password}" }`, ',\n')}]`,
  ],
  [
    'arrays of PHP',
    `[${write((name, email, password) => `['name' => '${name}', 'email' => '${email}', 'password' => '${password}']`, ',\n')}];`,
  ],
  [
    'objects of PowerShell',
    `@(\n${write((name, email, password) => `[pscustomobject]@{ Name = '${name}'; Email = '${email}'; Password = '${password}' }`)}\n)`,
  ],
])('%s are read, and their quotation marks asked about', async (_, text) => {
  expect(await readPaste(text)).toEqual({ added: both, isAsked: true })
})

test('labels of lists in a list may have underscores', async () => {
  const text = '- display_name: Ada\n  - mail: ada@a.org\n  - pwd: x1'
  expect((await readPaste(text)).added).toEqual(['Ada|ada@a.org|x1'])
})

test('of a cell of MediaWiki only what tells its look is left out', async () => {
  const text = '{|\n! Name !! Email !! Password\n|-\n| Ada || ada@a.org || =|a\n|}'
  expect((await readPaste(text)).added).toEqual(['Ada|ada@a.org|=|a'])
})

test('marks within the texts of SQL and of programs are read as those write them', async () => {
  const text = `('O''Neil', 'ada@a.org', N'x''1"'), ("Bob", "bob@a.org", "y\\"2'")`
  expect((await readPaste(text)).added).toEqual([`O'Neil|ada@a.org|x'1"`, `Bob|bob@a.org|y"2'`])
})

test.each([
  ['values of other numbers', "('Ada','ada@a.org','x1'),\n('Bob','bob@a.org')"],
  ['records with records in them', 'a = { name = "Ada", mail = { email = "ada@a.org" }, password = "x1" }'],
  ['a list in a list in a list', '- Ada\n  - Email: ada@a.org\n    - Password: x1'],
  ['labels for some only', '- Ada\n  - Email: ada@a.org\n  - x1'],
  ['labels that are not below one another', 'name     Ada\nemail    ada@a.org\npassword  \nof them'],
])('of %s nothing is imported', async (_, text) => {
  const { added } = await readPaste(text).catch(() => ({ added: [] }))
  expect(added.filter((row) => row.includes('@') && row.includes('x1'))).toEqual([])
})

test.each([
  ['a chat', write((name, email, password) => `${name}  10:32 AM\n${email} / ${password}`)],
  ['a chat of Discord', write((name, email, password) => `${name} — Today at 10:32\n${email} ${password}`)],
  ['a chat of Teams', write((name, email, password) => `[10:32] ${name}\n${email} / ${password}`, '\n\n')],
  ['a chat of WhatsApp', write((name, email) => `[12.03.26, 10:32:11] ${name}: ${email} / x1`)],
  ['a chat of Android', write((name, email) => `12/03/2026, 10:32 - ${name}: ${email} x1`)],
  [
    'a log',
    write(
      (name, email, password) =>
        `2026-03-12T10:32:11.1Z INFO name=${name} email=${email} password=${password}`,
    ),
  ],
  [
    'the log of a computer',
    write((_, email) => `Mar 12 10:32:11 host sshd[12]: Accepted password for ${email}`),
  ],
  [
    'the log of a web server',
    write((_, email) => `192.0.2.1 - ${email} [12/Mar/2026:10:32:11 +0000] "GET / HTTP/1.1" 200`),
  ],
])('%s is named', async (_, text) => {
  await expect(parseSource(text)).rejects.toThrow('This is a chat or a log, not a list.')
})

test.each([
  [
    'Timestamp,Name,Email,Password\n2026-03-12 10:32:11,Ada,ada@a.org,x1\n2026-03-12 10:33:11,Bob,bob@a.org,y2',
  ],
  ['Ada,ada@a.org,x1,10:32\nBob,bob@a.org,y2,10:33'],
  ['Ada\tada@a.org\tx1\t10:32\nBob\tbob@a.org\ty2\t10:33'],
])('a list with times is a list: %s', async (text) => {
  expect((await parseSource(text)).rows.length).toBeGreaterThan(1)
})
