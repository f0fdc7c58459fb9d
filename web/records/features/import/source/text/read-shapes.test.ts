import { strToU8 } from 'fflate'
import { expect, test } from 'vitest'
import { finish } from '../../../../../../tests/support/steps.ts'
import { describeRow, previewInSteps, proposeOptions } from '../../preview.ts'
import { parseSource } from '../parse-source.ts'

/** The fields of each row, or why it can't be imported; and what is told of the whole. */
async function read(text: string) {
  const parsed = await parseSource(text)
  const { rows, doubts } = finish(previewInSteps(parsed, proposeOptions(parsed), []))
  return {
    rows: rows.map((row) => (row.outcome === 'new' ? Object.values(row.fields) : describeRow(row))),
    doubts: [...(parsed.doubts ?? []), ...doubts].map((doubt) => doubt[1]),
  }
}

const people = [
  ['Ada Lovelace', 'ada@a.org', 'p 1'],
  ['Bob', 'bob@a.org', 'p|2'],
]

test.each([
  [
    'psql',
    ' name         | email     | password \n--------------+-----------+----------\n Ada Lovelace | ada@a.org | p 1\n Bob          | bob@a.org | p|2\n(2 rows)\n',
  ],
  [
    'MySQL',
    '+--------------+-----------+----------+\n| name         | email     | password |\n+--------------+-----------+----------+\n| Ada Lovelace | ada@a.org | p 1      |\n| Bob          | bob@a.org | p|2      |\n+--------------+-----------+----------+\n2 rows in set (0.00 sec)\n',
  ],
  [
    'Markdown',
    '# Team\n\n| Name | Email | Password |\n|------|:-----:|---------:|\n| Ada Lovelace | [ada@a.org](mailto:ada@a.org) | `p 1` |\n| Bob | <bob@a.org> | `p\\|2` |\n',
  ],
  [
    'Markdown without borders',
    'Name|Email|Password\n-|-|-\nAda Lovelace|ada@a.org|p 1\nBob|bob@a.org|p\\|2\n',
  ],
  [
    'a box',
    '┌──────────────┬───────────┬──────────┐\n│ Name         │ Email     │ Password │\n├──────────────┼───────────┼──────────┤\n│ Ada Lovelace │ ada@a.org │ p 1      │\n│ Bob          │ bob@a.org │ p|2      │\n└──────────────┴───────────┴──────────┘\n',
  ],
  [
    'PowerShell, and reStructuredText',
    '\nName         Email     Password\n----         -----     --------\nAda Lovelace ada@a.org p 1\nBob          bob@a.org p|2\n\n',
  ],
  [
    'columns of spaces',
    'Name            Email        Password\nAda Lovelace    ada@a.org    p 1\nBob             bob@a.org    p|2\n(2 rows affected)\n',
  ],
  [
    'psql, one line a field',
    '-[ RECORD 1 ]----\nname     | Ada Lovelace\nemail    | ada@a.org\npassword | p 1\n-[ RECORD 2 ]----\nname     | Bob\nemail    | bob@a.org\npassword | p|2\n',
  ],
  [
    'MySQL, one line a field',
    '********** 1. row **********\n    name: Ada Lovelace\n   email: ada@a.org\npassword: p 1\n********** 2. row **********\n    name: Bob\n   email: bob@a.org\npassword: p|2\n2 rows in set (0.00 sec)\n',
  ],
  [
    'notes',
    'Name: Ada Lovelace\nEmail: ada@a.org\nPassword: p 1\n\nName: Bob\nEmail: bob@a.org\nPassword: p|2\n',
  ],
  [
    'notes without blank lines',
    'Email: ada@a.org\nName: Ada Lovelace\nPassword: p 1\nEmail: bob@a.org\nPassword: p|2\nName: Bob\n',
  ],
  [
    'notes with blank lines everywhere',
    'Name: Ada Lovelace\n\nEmail: ada@a.org\n\nPassword: p 1\n\nName: Bob\n\nEmail: bob@a.org\n\nPassword: p|2',
  ],
  [
    'PowerShell, one line a field',
    '\r\nName       : Ada Lovelace\r\nDepartment :\r\nEmail      : ada@a.org\r\nPassword   : p 1\r\n\r\nName       : Bob\r\nDepartment : IT\r\nEmail      : bob@a.org\r\nPassword   : p|2\r\n\r\n',
  ],
  [
    'INI',
    '; staff\n[Ada Lovelace]\nemail=ada@a.org\n\npassword=p 1\n[Bob]\nemail = bob@a.org\npassword = p|2\n',
  ],
  [
    'a list of YAML',
    'users:\n  - name: Ada Lovelace\n    email: ada@a.org\n    password: p 1\n  - email: bob@a.org\n    name: Bob\n    password: p|2\n',
  ],
  [
    'an object of YAML',
    '---\nAda Lovelace:\n  email: ada@a.org\n  password: p 1\nBob:\n  email: bob@a.org\n  password: p|2\n',
  ],
  ['lines with numbers', '1. Ada Lovelace, ada@a.org, p 1\n2. Bob, bob@a.org, p|2\n'],
  ['lines with bullets', '• Ada Lovelace – ada@a.org – p 1\n• Bob – bob@a.org – p|2\n'],
  [
    'signs with spaces around them',
    'Name - Email - Password\nAda Lovelace - ada@a.org - p 1\nBob - bob@a.org - p|2\n',
  ],
  ['tildes', 'Name~Email~Password\nAda Lovelace~ada@a.org~p 1\nBob~bob@a.org~p|2\n'],
  ['carets', 'Name^Email^Password\nAda Lovelace^ada@a.org^p 1\nBob^bob@a.org^p|2\n'],
  ['commas of Chinese', 'Name，Email，Password\nAda Lovelace，ada@a.org，p 1\nBob，bob@a.org，p|2\n'],
  ['semicolons of Arabic', 'Name؛Email؛Password\nAda Lovelace؛ada@a.org؛p 1\nBob؛bob@a.org؛p|2\n'],
  ['a field a line', 'Ada Lovelace\nada@a.org\np 1\n\nBob\nbob@a.org\np|2\n'],
  [
    'a field a line, as copied from a PDF',
    'Name\nEmail\nPassword\nAda Lovelace\nada@a.org\np 1\nBob\nbob@a.org\np|2\n',
  ],
  [
    'an array of arrays',
    '[["Name","Email","Password"],["Ada Lovelace","ada@a.org","p 1"],["Bob","bob@a.org","p|2"]]',
  ],
  [
    'columns of JSON',
    '{"name":["Ada Lovelace","Bob"],"email":["ada@a.org","bob@a.org"],"password":["p 1","p|2"]}',
  ],
  [
    'a table of JSON',
    '{"columns":[{"name":"name"},{"name":"email"},{"name":"password"}],"rows":[["Ada Lovelace","ada@a.org","p 1"],["Bob","bob@a.org","p|2"]]}',
  ],
  [
    'an object by emails',
    '{"ada@a.org":{"name":"Ada Lovelace","password":"p 1"},"bob@a.org":{"name":"Bob","password":"p|2"}}',
  ],
  [
    'XML of any program',
    '<?xml version="1.0"?><users total="2"><user><name>Ada Lovelace</name><email>ada@a.org</email><password>p 1</password></user><user><name>Bob</name><email>bob@a.org</email><password>p|2</password></user></users>',
  ],
  [
    'attributes of XML',
    '<users><user name="Ada Lovelace" email="ada@a.org" password="p 1"/><user name="Bob" email="bob@a.org" password="p|2"/></users>',
  ],
  [
    'psql, one line a field, in a box',
    '+-[ RECORD 1 ]------------+\n| name     | Ada Lovelace |\n| email    | ada@a.org    |\n| password | p 1          |\n+-[ RECORD 2 ]------------+\n| name     | Bob          |\n| email    | bob@a.org    |\n| password | p|2          |\n+----------+--------------+\n',
  ],
  [
    'psql, one line a field, below what it says itself',
    '\nExpanded display is on.\n-[ RECORD 1 ]----\nname     | Ada Lovelace\nemail    | ada@a.org\npassword | p 1\n-[ RECORD 2 ]----\nname     | Bob\nemail    | bob@a.org\npassword | p|2\n',
  ],
  ['lines with the same number', '1. Ada Lovelace, ada@a.org, p 1\n1. Bob, bob@a.org, p|2\n'],
  [
    'bullets below a header',
    'Name, Email, Password\n- Ada Lovelace, ada@a.org, p 1\n- Bob, bob@a.org, p|2\n',
  ],
  [
    'people in groups of XML',
    '<c><dept><name>Sales</name><user><name>Ada Lovelace</name><email>ada@a.org</email><password>p 1</password></user></dept><dept><name>IT</name><user><name>Bob</name><email>bob@a.org</email><password>p|2</password></user></dept></c>',
  ],
  [
    'people in groups of JSON',
    '{"teams":[{"name":"A","members":[{"name":"Ada Lovelace","email":"ada@a.org","password":"p 1"}]},{"name":"B","members":[{"name":"Bob","email":"bob@a.org","password":"p|2"}]}]}',
  ],
  [
    'an object by ids whose fields are in objects',
    '{"1":{"profile":{"name":"Ada Lovelace","email":"ada@a.org"},"auth":{"password":"p 1"}},"2":{"profile":{"name":"Bob","email":"bob@a.org"},"auth":{"password":"p|2"}}}',
  ],
  [
    'fields of XML that an attribute names, as MySQL writes them',
    '<?xml version="1.0"?>\n<resultset statement="select"><row><field name="name">Ada Lovelace</field><field name="email">ada@a.org</field><field name="password">p 1</field></row><row><field name="name">Bob</field><field name="email">bob@a.org</field><field name="password">p|2</field></row></resultset>',
  ],
  [
    'columns of a named table of XML, as phpMyAdmin writes them',
    '<pma_xml_export><database name="staff"><table name="users"><column name="name">Ada Lovelace</column><column name="email">ada@a.org</column><column name="password">p 1</column></table><table name="users"><column name="name">Bob</column><column name="email">bob@a.org</column><column name="password">p|2</column></table></database></pma_xml_export>',
  ],
  ...['NAME', 'Mitarbeiter', 'Wer'].map((label) => [
    `columns of a named table of XML, of which the name is called ${label}`,
    `<pma_xml_export><database name="staff"><table name="users"><column name="${label}">Ada Lovelace</column><column name="Email">ada@a.org</column><column name="Password">p 1</column></table><table name="users"><column name="${label}">Bob</column><column name="Email">bob@a.org</column><column name="Password">p|2</column></table></database></pma_xml_export>`,
  ]),
  [
    'properties of XML in an element with the name of the person',
    '<users><user name="Ada Lovelace"><property name="email">ada@a.org</property><property name="password">p 1</property></user><user name="Bob"><property name="email">bob@a.org</property><property name="password">p|2</property></user></users>',
  ],
  [
    'objects of PowerShell in XML',
    '<Objs Version="1.1.0.1"><Obj RefId="0"><MS><S N="Name">Ada Lovelace</S><S N="Email">ada@a.org</S><S N="Password">p 1</S></MS></Obj><Obj RefId="1"><MS><S N="Name">Bob</S><S N="Email">bob@a.org</S><S N="Password">p|2</S></MS></Obj></Objs>',
  ],
  [
    'people in XML whose attribute is their name',
    '<users><user name="Ada Lovelace"><email>ada@a.org</email><password>p 1</password></user><user name="Bob"><email>bob@a.org</email><password>p|2</password></user></users>',
  ],
  [
    'columns of JSON with numbers, as pandas writes them',
    '{"Name":{"0":"Ada Lovelace","1":"Bob"},"Email":{"0":"ada@a.org","1":"bob@a.org"},"Password":{"0":"p 1","1":"p|2"}}',
  ],
  [
    'a list of JSON beside the description of its fields',
    '{"schema":{"fields":[{"name":"a","type":"string"},{"name":"b","type":"string"},{"name":"c","type":"string"}]},"data":[{"name":"Ada Lovelace","email":"ada@a.org","password":"p 1"},{"name":"Bob","email":"bob@a.org","password":"p|2"}]}',
  ],
  ['a column for each person', 'Name,Ada Lovelace,Bob\nEmail,ada@a.org,bob@a.org\nPassword,p 1,p|2\n'],
])('reads %s', async (_, text) => {
  expect(await read(text)).toEqual({ rows: people, doubts: [expect.stringMatching('several words')] })
})

test.each([
  [
    'a record of XML alone',
    '<resultset><row><field name="name">Ada</field><field name="email">ada@a.org</field><field name="password">00123</field></row></resultset>',
    '00123',
  ],
  ['numbers that are none in JSON', '[{"name":"Ada","email":"ada@a.org","password":0x1F}]', '0x1F'],
  ['numbers without a zero', '[{"name":"Ada","email":"ada@a.org","password":.5}]', '.5'],
])('reads %s', async (_, text, password) => {
  expect(await read(text)).toEqual({ rows: [['Ada', 'ada@a.org', password]], doubts: [] })
})

test('asks about a missing number of Python', async () => {
  const { doubts } = await read('[{"name":"Ada","email":"ada@a.org","password":NaN}]')
  expect(doubts).toEqual([expect.stringMatching('such as NULL')])
})

test('asks about code in Markdown where other cells of its column are none', async () => {
  const table = (...passwords: string[]) =>
    [
      '| Name | Email | Password |\n|---|---|---|',
      ...passwords.map((password, i) => `| Ada | ada${i}@a.org | ${password} |`),
    ].join('\n')
  expect((await read(table('`a1`', '`b2`'))).doubts).toEqual([])
  expect((await read(table('a1', '`b2`'))).doubts).toEqual([expect.stringMatching('may be no part')])
  expect((await read(table('`a1`', 'b2'))).doubts).toEqual([expect.stringMatching('may be no part')])
})

async function readSecrets(text: string) {
  const parsed = await parseSource(text)
  const { rows, spacedCounts } = finish(previewInSteps(parsed, proposeOptions(parsed), []))
  return [rows.map(({ fields }) => fields.password), spacedCounts.password]
}

test('keeps the spaces before a password below a label that the other values do not have, and asks about it', async () => {
  const list = (...passwords: string[]) =>
    passwords
      .map((password, i) => `Name     : Ada ${i}\nEmail    : a${i}@a.org\nPassword : ${password}\n`)
      .join('\n')
  expect(await readSecrets(list('a1', ' b2'))).toEqual([['a1', ' b2'], 1])
  expect(await readSecrets(list('  a1', '  b2'))).toEqual([['  a1', '  b2'], 2])
  expect(
    await readSecrets('Name: A\nEmail:a@a.org\nPassword:a1\n\nName: B\nEmail: b@a.org\nPassword: b2'),
  ).toEqual([['a1', 'b2'], 0])
})

test('keeps a space before a password of a table if its column begins at the edge, and asks about it', async () => {
  const psql = (...passwords: string[]) =>
    ` name | email     | password \n------+-----------+----------\n${passwords
      .map((password, i) => ` Ada  | ad${i}@a.org | ${password} \n`)
      .join('')}(${passwords.length} rows)\n`
  expect(await readSecrets(psql('a1      ', ' b2     ', 'c3c3c3c3'))).toEqual([['a1', ' b2', 'c3c3c3c3'], 1])
  expect(await readSecrets(psql('      12', '     123', '12345678'))).toEqual([['12', '123', '12345678'], 0])
  const shell =
    'Name Email     Password\n---- -----     --------\nAda  ada@a.org a1\nBob  bob@a.org  b2\nCy   cyy@a.org c3  \n'
  expect(await readSecrets(shell)).toEqual([['a1', ' b2', 'c3'], 1])
})

const cutDoubt = 'The program that wrote this table has cut some cells, at “…”. They count as empty.'

test('tells which cells a program has cut, and which rows do not fit', async () => {
  const header = 'Name Email       Password\n---- -----       --------\n'
  expect(
    await read(`${header}Ada  ada@a.org   p1\nBob  bob.long... p2\nAda Lovelace ada@b.org p3\n`),
  ).toEqual({
    rows: [
      ['Ada', 'ada@a.org', 'p1'],
      'The email is missing.',
      'This row doesn’t fit the columns of the table.',
    ],
    doubts: [cutDoubt],
  })
  const cut = `${header}Ada  ada@a.org   secre...\n`
  expect(await read(cut)).toEqual({
    rows: ['The password is missing.'],
    doubts: [cutDoubt],
  })
})

test('leaves out the quotation marks of YAML and TOML, and says so', async () => {
  const list = '[[user]]\nname = "Ada \\"A\\""\nemail = "ada@a.org"\npassword = \'it\'\'s\'\n'
  expect(await read(list)).toEqual({
    rows: [['Ada "A"', 'ada@a.org', "it's"]],
    doubts: ['Quotation marks around some cells are left out. Check the passwords.'],
  })
})

test.each([
  ['a value of several lines', 'name: Ada\nemail: ada@a.org\nnotes: |\n  first\n  second\n'],
  ['a letter', 'Dear Ada: thanks\n\nName: Bob\nEmail: bob@a.org\n\nYours\n'],
  ['numbers that do not follow one another', '1. Ada, ada@a.org, x\n7. Bob, bob@a.org, y\n'],
])('does not take for such a list %s', async (_, text) => {
  expect((await read(text).catch(() => ({ rows: [] }))).rows).not.toContainEqual(['Ada', 'ada@a.org', 'x'])
})

const generated = 'password will be generated'

test.each([
  ['emails in brackets', 'Ada Lovelace (ada@a.org)\nBob (bob@a.org)'],
  ['emails behind a colon', 'Ada Lovelace: ada@a.org\nBob: bob@a.org'],
  ['an object of emails', '{"Ada Lovelace":"ada@a.org","Bob":"bob@a.org"}'],
  ['aliases of mutt', 'alias ada Ada Lovelace <ada@a.org>\nalias bob Bob <bob@a.org>\n'],
  ['names in marks, as Outlook shows them', "'Ada Lovelace' <ada@a.org>; 'Bob' <bob@a.org>"],
])('reads names and emails: %s', async (_, text) => {
  const parsed = await parseSource(text)
  const options = { ...proposeOptions(parsed), generates: true }
  const { rows } = finish(previewInSteps(parsed, options, []))
  expect(rows.map((row) => [...Object.values(row.fields).slice(0, 2), describeRow(row)])).toEqual([
    ['Ada Lovelace', 'ada@a.org', generated],
    ['Bob', 'bob@a.org', generated],
  ])
})

test('asks about the email where two columns have different ones', async () => {
  const users = [
    { displayName: 'Ada', mail: 'ada@a.org', userPrincipalName: 'ada@a.onmicrosoft.com' },
    { displayName: 'Bob', mail: null, userPrincipalName: 'bob@a.org' },
  ]
  expect((await parseSource(JSON.stringify({ value: users }))).layout.isEmailGuessed).toBe(true)
})

const misfit = 'This row doesn’t fit the columns of the table.'
const noEmail = 'The email is missing.'

test.each([
  [
    'a line break in a cell of psql',
    ' name     | email     | password \n----------+-----------+----------\n Ada     +| ada@a.org | p1\n Lovelace |           | \n Bob      | bob@a.org | p2      +\n          |           | x\n(2 rows)\n',
    [misfit, noEmail, misfit, noEmail],
  ],
  [
    'a line break in a cell of MySQL',
    '+------+-----------+----------+\n| name | email     | password |\n+------+-----------+----------+\n| Ada\nLovelace | ada@a.org | p1 |\n| Bob  | bob@a.org | p\n2 |\n+------+-----------+----------+\n',
    [misfit, misfit, misfit, misfit],
  ],
  [
    'a bar in a cell of a row that is not aligned, before an empty one',
    ' name | email     | password | x \n------+-----------+----------+---\n 👩‍💻   | ada@a.org | a|a      |   \n',
    [misfit],
  ],
  [
    'a line of a cell that looks like a rule, in MySQL',
    '+------+-----------+----------+\n| name | email     | password |\n+------+-----------+----------+\n| Ada  | ada@a.org | p        |\n|      |           | -+-      |\n+------+-----------+----------+\n',
    [misfit, noEmail],
  ],
  [
    'a line of a cell that looks like a rule, between spaces',
    'name  email      password\n----  -----      --------\nAda   ada@a.org  p\n-- --\n',
    [misfit, noEmail],
  ],
  [
    'a cell that goes on in the next line of a box',
    '┌──────┬───────────┬──────────┐\n│ Name │ Email     │ Password │\n├──────┼───────────┼──────────┤\n│ Ada  │ ada@a.org │ secret-  │\n│      │           │ rest     │\n│ Bob  │ bob@a.org │ p2       │\n└──────┴───────────┴──────────┘\n',
    [misfit, noEmail, ['Bob', 'bob@a.org', 'p2']],
  ],
  [
    'a second table of Markdown',
    '| Name | Email | Password |\n|---|---|---|\n| Ada | ada@a.org | p1 |\n\n| Wer | Wo | Durchwahl |\n|---|---|---|\n| Bob | bob@a.org | 555-1234 |\n',
    [['Ada', 'ada@a.org', 'p1'], misfit, misfit],
  ],
  [
    'a second table below another header',
    'Name,Email,Password\nAda,ada@a.org,p1\n\nName,Email,Phone\nBob,bob@a.org,555-1234\n',
    [['Ada', 'ada@a.org', 'p1'], misfit, misfit],
  ],
  [
    'a row of dashes where there is no Markdown',
    'Name|Email|Password\nAda|ada@a.org|`x1`\n-|-|-\nBob|bob@a.org|p\\\n',
    [['Ada', 'ada@a.org', '`x1`'], 'This is not an email address.', ['Bob', 'bob@a.org', 'p\\']],
  ],
  [
    'a separator in a cell before a separator at the end of all rows',
    'Name,Email,Password,\nAda,ada@a.org,p1,\nBob,bob@a.org,p,2,\n',
    [['Ada', 'ada@a.org', 'p1'], 'This row has more cells than the others.'],
  ],
])('refuses what is not whole or of another table: %s', async (_, text, rows) => {
  expect(await read(text)).toEqual({ rows, doubts: [] })
})

test.each([
  [
    'blank lines within records',
    'Name: A\nEmail: a@a.org\n\nPassword: p1\nName: B\nEmail: b@a.org\n\nPassword: p2\n',
  ],
  [
    'values of several lines',
    '- name: A\n  email: a@a.org\n  password: |\n    k: v\n- name: B\n  email: b@a.org\n  password: >-\n    k: v\n',
  ],
  [
    'another label in a record of MySQL',
    '********* 1. row *********\n    name: A\n   email: a@a.org\npassword: p1\nx: y\n********* 2. row *********\n    name: B\n   email: b@a.org\npassword: p2\n',
  ],
  ['blank lines that a missing line has moved', 'A\na@a.org\np1\n\nB\nb@a.org\n\nC\nD\nc@a.org\np3\n'],
  ['a missing cell in a column for each person', 'Name,A,B,C\nEmail,a@a.org,c@a.org\nPassword,p1,p2,p3\n'],
  [
    'links to two people in a cell',
    '<html><table><tr><th>Name<th>Email<th>Password<tr><td>A<td><a href="mailto:a@a.org">write</a> <a href="mailto:b@a.org">or</a><td>p1</table>',
  ],
])('imports no row of %s', async (_, text) => {
  const origin = text.startsWith('<') ? { name: 'list.html', bytes: strToU8(text) } : text
  const parsed = await parseSource(origin)
  const { counts } = finish(previewInSteps(parsed, proposeOptions(parsed), []))
  expect(counts.new).toBe(0)
})

const signsDoubt =
  'Texts such as “# old”, “**” or “Password:” may be no part of some cells. Check the passwords.'
const linesDoubt = 'Below some passwords stand lines that may be part of them. Check the passwords.'
const titlesDoubt = 'The titles of the records are read as their names. Check the names.'
const joinedDoubt = 'Some cells had several values, which are joined by “;”. Check the passwords.'
const repeatedDoubt = 'Some records have a field twice. The last value of each is read. Check the passwords.'
const partDoubt = 'This file has several lists with emails. Only the longest one is read.'
const toYaml = (password: string) => `- name: Ada\n  email: ada@a.org\n  password: ${password}\n`

test.each([
  ['a comment of YAML', toYaml('p1 # old'), signsDoubt],
  ['an anchor of YAML', toYaml('&p p1'), signsDoubt],
  ['a reference of YAML', toYaml('*p'), signsDoubt],
  ['no value in YAML', toYaml('~'), signsDoubt],
  ['marks that are not read', toYaml('"a\\x41"'), signsDoubt],
  [
    'a comment behind marks',
    '[[user]]\nname = "Ada"\nemail = "ada@a.org"\npassword = "p1" # x\n',
    signsDoubt,
  ],
  ['marks of TOML', "[[user]]\nname = 'Ada'\nemail = 'ada@a.org'\npassword = '''p1'''\n", signsDoubt],
  ['a comment of INI', '[Ada]\nemail=ada@a.org\npassword=p1 ; old\n', signsDoubt],
  ['bold text of Markdown', '|Name|Email|Password|\n|-|-|-|\n|**Ada**|ada@a.org|p1|\n', signsDoubt],
  ['backslashes of Markdown', '|Name|Email|Password|\n|-|-|-|\n|Ada|ada@a.org|a\\_b|\n', signsDoubt],
  ['labels in the cells', 'Ada, ada@a.org, Password: p1\nBob, bob@a.org, Password: p2\n', signsDoubt],
  ['two passwords in JSON', '[{"name":"Ada","email":"ada@a.org","password":["p1","p0"]}]', joinedDoubt],
  [
    'a line below a password that may be its second',
    'Name: Ada\nEmail: ada@a.org\nPassword: a\nx1=b\n\nName: Bob\nEmail: bob@a.org\nPassword: b2\n',
    linesDoubt,
  ],
  ['a comment below a password', '[Ada]\nemail=ada@a.org\npassword=p1\n;x\n', linesDoubt],
  ['a separator alone below a password', 'Email: ada@a.org\nName: Ada\nPassword: p1\n:', linesDoubt],
  [
    'a line of separators below a password, with fewer than the rows have',
    'Name,Email,Password\nAda,ada@a.org,p1\n,\nBob,bob@a.org,p2\n',
    linesDoubt,
  ],
  ['a label of signs below a password', 'Email: ada@a.org\nName: Ada\nPassword: p1\n!x: y', linesDoubt],
  [
    'a rule below a password, in psql',
    '-[ RECORD 1 ]--\nname     | Ada\nemail    | ada@a.org\npassword | p1\n---\n-[ RECORD 2 ]--\nname     | Bob\nemail    | bob@a.org\npassword | p2\n',
    linesDoubt,
  ],
  ['a rule below the last password', `${toYaml('p1')}---\n`, linesDoubt],
  [
    'a rule below the last of several passwords, and none between the records',
    'Name: Ada\nEmail: ada@a.org\nPassword: p1\n\nName: Bob\nEmail: bob@a.org\nPassword: p2\n---\n',
    linesDoubt,
  ],
  [
    'rules below some passwords',
    `${toYaml('p1')}---\n${toYaml('p2').replaceAll('ada@', 'a@')}${toYaml('p3').replaceAll('ada@', 'b@')}`,
    linesDoubt,
  ],
  ['titles beside labels that are not known', '[u1]\nemail=ada@a.org\npassword=p1\nwer=Ada\n', titlesDoubt],
  [
    'a field twice in JSON',
    '[{"name":"Ada","email":"ada@a.org","password":"p1","password":"p0"}]',
    repeatedDoubt,
  ],
  [
    'a field twice in a line of JSON',
    '{"name":"Ada","email":"ada@a.org","password":"p1"}\n{"name":"B","email":"b@a.org","email":"c@a.org"}',
    repeatedDoubt,
  ],
  [
    'two passwords in XML',
    '<c><u><name>Ada</name><email>ada@a.org</email><password>p1</password><password>p0</password></u></c>',
    joinedDoubt,
  ],
  [
    'two lists',
    '{"old":[{"name":"Z","email":"z@a.org","password":"p0"}],"now":[{"name":"A","email":"a@a.org","password":"p1"},{"name":"B","email":"b@a.org","password":"p2"}]}',
    partDoubt,
  ],
  [
    'two tables of rows in JSON',
    '{"old":[["Z","z@a.org","p0"]],"now":[["A","a@a.org","p1"],["B","b@a.org","p2"]]}',
    partDoubt,
  ],
  [
    'NULL in a frame',
    ' name | email     | password \n------+-----------+----------\n Ada  | ada@a.org | [null]\n',
    'Texts such as NULL may stand for empty cells. Check the names and passwords.',
  ],
])('asks about %s', async (_, text, doubt) => {
  expect((await read(text)).doubts).toContain(doubt)
})

test.each([
  'Name: Ada\nEmail: ada@a.org\nPassword: p1\nPhone: 1\n\nName: Bob\nEmail: bob@a.org\nPassword: b2\nPhone: 2\n',
  '# Team\n[Ada]\nemail=ada@a.org\npassword=p1\n\n[Bob]\nemail=bob@a.org\npassword=b2\n',
])('asks about no line that all records have, and no title that nothing else may be: %j', async (text) => {
  expect((await read(text)).doubts).toEqual([])
})

test('counts no field twice where JSON has marks and colons in its texts', async () => {
  const text =
    '[{"name":"A \\" : da","email":"ada@a.org","password":"p\\":\\"1"}, null, [], {"email":"b@a.org"}]'
  expect((await read(text)).doubts).toEqual([])
})

test('reads the longest of several tables of rows in JSON, with the header beside it', async () => {
  const text = JSON.stringify({
    old: { columns: ['Name', 'Email', 'Password'], rows: [['Z', 'z@a.org', 'p0']] },
    now: {
      columns: ['Password', 'Email', 'Name'],
      rows: [
        ['p 1', 'ada@a.org', 'Ada Lovelace'],
        ['p|2', 'bob@a.org', 'Bob'],
      ],
    },
  })
  expect((await read(text)).rows).toEqual(people)
})

test.each([
  ['PowerShell', 'Name     : Ada\nEmail    : ada@a.org\nPassword :  x1\n', ' x1'],
  [
    'two records',
    'Name: Ada\nEmail: a@a.org\nPassword:  x1\n\nName: Bob\nEmail: b@a.org\nPassword:  y1',
    ' x1',
  ],
  ['a column', 'Name:     Ada\nEmail:    ada@a.org\nPassword:  x1\n', ' x1'],
  ['a column, without a space of its text', 'Name:     Ada\nEmail:    ada@a.org\nPassword: x1\n', 'x1'],
  ['no order', 'Name: Ada\nEmail:   ada@a.org\nPassword: x1\n', 'x1'],
])('keeps the space before a password that other labels do not have: %s', async (_, text, password) => {
  expect((await read(text)).rows[0]?.[2]).toBe(password)
})

test('reads a list that is quoted in an answer', async () => {
  const { rows } = await read('> Name,Email,Password\n> Ada Lovelace,ada@a.org,p 1\n>\n> Bob,bob@a.org,p|2\n')
  expect(rows).toEqual(people)
})

test.each([['|,'], ['|', ',']])(
  'tells a row that does not fit below a header that is not known: %j',
  async (...lines) => {
    const rule = '+-----------+-----+-----+'
    // The program counts characters, of which the signs are two.
    const cells = lines.map(
      (line, i) => `| ${i === 0 ? 'ada@a.org | 😀😀😀' : '          |    '} | ${line.padEnd(3)} |`,
    )
    const table = [rule, '| Wo        | Wer | Was |', rule, ...cells, '| bob@a.org | Bob | 1   |', rule].join(
      '\n',
    )
    const { rows } = await read(table)
    expect(rows[0]).toContain('fit')
    expect(rows.at(-1)).toEqual(['Bob', 'bob@a.org', '1'])
  },
)

test('asks about a rule below a password, if no record begins below it', async () => {
  const record = (name: string, password: string) =>
    `[${name}]\nname = ${name}\npassword = ${password}\nemail = ${name}@a.org\n`
  expect((await read(record('Ada', 'a\n---') + record('Bob', 'b'))).doubts).toHaveLength(1)
  const yaml = 'name: Ada\nemail: ada@a.org\npassword: a\n---\nname: Bob\nemail: bob@a.org\npassword: b\n'
  expect((await read(yaml)).doubts).toEqual([])
})

test('reads no table where a line of a password looks like its rule', async () => {
  const lines = 'name     | Ada\npassword | a\n-+-\nemail    | ada@a.org'
  const { rows } = await read(`-[ RECORD 1 ]----\n${lines}\n`)
  expect(rows).not.toContainEqual(['Ada', 'ada@a.org', 'a'])
})

test('keeps the spaces and the signs of a text behind an email', async () => {
  const expected = [
    ['Ada', 'ada@a.org', 'p  1'],
    ['Bob', 'bob@a.org', 'p - 2'],
  ]
  expect((await read('Ada ada@a.org p  1\nBob bob@a.org p - 2')).rows).toEqual(expected)
  expect((await read('Ada - ada@a.org - p  1\nBob - bob@a.org - p - 2')).rows).toEqual(expected)
})

test.each(['Name Email Password', 'Full name Email address Password', 'Mitarbeiter E-Mail Passwort'])(
  'reads words below the header %j, as copied from a PDF',
  async (header) => {
    const rows = [
      ['Ada Lovelace', 'ada@a.org', 'p1'],
      ['Bob', 'bob@a.org', 'q#2'],
    ]
    const text = [header, ...rows.map((row) => row.join(' '))].join('\n')
    expect(await read(text)).toEqual({ rows, doubts: [] })
  },
)

test('keeps the spaces before a text behind an email that others do not have, unless they make a column', async () => {
  const readSecrets = async (text: string) => (await read(text)).rows.map(([, , secret]) => secret)
  expect(await readSecrets('Ada ada@a.org p1\nBob bob@a.org  p2')).toEqual(['p1', ' p2'])
  expect(await readSecrets('Ada  ada@a.org  p1\nBob bobby@a.org p2')).toEqual(['p1', 'p2'])
})

test('asks about emails below a header that is not known', async () => {
  expect((await parseSource('Name,Manager,Password\nAda,carl@a.org,p1\n')).layout.isEmailGuessed).toBe(true)
  expect((await parseSource('Name,Email,Password\nAda,carl@a.org,p1\n')).layout.isEmailGuessed).toBe(false)
})

const flows = [
  "- {name: Ada Lovelace, email: ada@a.org, password: 'p''1'}\n- {name: Bob, email: bob@a.org, password: q#2}\n",
  'users:\n  - { name: Ada Lovelace, email: ada@a.org, password: "p\'1" }\n  - { name: Bob, email: bob@a.org, password: q#2 }\n',
  "const users = [\n  { name: 'Ada Lovelace', email: 'ada@a.org', password: 'p\\'1' },\n  { name: 'Bob', email: 'bob@a.org', password: 'q#2', },\n];\n",
]
test.each(flows)('reads records in braces and asks about their quotation marks: %j', async (text) => {
  expect(await read(text)).toEqual({
    rows: [
      ['Ada Lovelace', 'ada@a.org', "p'1"],
      ['Bob', 'bob@a.org', 'q#2'],
    ],
    doubts: ['Quotation marks around some cells are left out. Check the passwords.'],
  })
})

test('keeps a sign that looks like a bullet where the passwords are in the first column', async () => {
  const { rows } = await read('Password,Name,Email\n* a,Ada,ada@a.org\n')
  expect(rows).toEqual([['Ada', 'ada@a.org', '* a']])
})

test('reads the property lists of Apple, also records by their keys', async () => {
  const person = (email: string, password: string) =>
    `<dict><key>email</key><string>${email}</string><key>password</key><string>${password}</string><key>active</key><true/></dict>`
  const list = (content: string) =>
    `<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0"><dict><key>name</key><string>Staff</string><key>users</key>${content}</dict></plist>`
  const [ada, bob] = [person('ada@a.org', 'x&lt;1'), person('bob@a.org', 'y2')]
  const { rows } = await parseSource(list(`<array>${ada}${bob}</array>`))
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['email', 'password', 'active'],
    ['ada@a.org', 'x<1', 'true'],
    ['bob@a.org', 'y2', 'true'],
  ])
  const keyed = await parseSource(list(`<dict><key>Ada</key>${ada}<key>Bob</key>${bob}</dict>`))
  expect(keyed.rows.map(({ cells }) => cells[0])).toEqual(['Title', 'Ada', 'Bob'])
})

test('reads the registry of Windows, and the records of NirSoft', async () => {
  const registry =
    'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\A\\Ada]\r\n"Email"="ada@a.org"\r\n"Password"="x\\\\1"\r\n'
  const { rows, doubts } = await parseSource(registry)
  expect(rows[1]?.cells.slice(1)).toEqual(['ada@a.org', 'x\\1'])
  expect(doubts).not.toEqual([])
  const rule = '='.repeat(50)
  const record = (email: string) =>
    `${rule}\nURL       : https://a.org\nUser Name : ${email}\nPassword  : x1\n${rule}\n`
  const records = await parseSource(`${record('ada@a.org')}\n${record('bob@a.org')}\n`)
  expect(records.rows.slice(1).map(({ cells }) => cells)).toEqual([
    ['https://a.org', 'ada@a.org', 'x1'],
    ['https://a.org', 'bob@a.org', 'x1'],
  ])
})

test('reads what phpMyAdmin writes as YAML, and the shell of MongoDB as JSON', async () => {
  const read = async (text: string) => (await parseSource(text)).rows.map(({ cells }) => cells.join('|'))
  const yaml =
    '# staff.users\n-\n  id: 1\n  email: "ada@a.org"\n  password: "x1"\n-\n  id: 2\n  email: "bob@a.org"\n  password: "y2"\n'
  expect(await read(yaml)).toEqual(['id|email|password', '1|ada@a.org|x1', '2|bob@a.org|y2'])
  const line = (email: string, password: string) =>
    `{ "_id" : ObjectId("5f"), "email" : "${email}", "password" : "${password}", "count" : NumberLong(5) }\n`
  expect(await read(line('ada@a.org', 'A(1)') + line('bob@a.org', 'y2'))).toEqual([
    '_id|email|password|count',
    '5f|ada@a.org|A(1)|5',
    '5f|bob@a.org|y2|5',
  ])
})

test('reads XML below the declaration of its type, as of KeePassX, from groups of one and several entries', async () => {
  const entry = (name: string) =>
    `<entry><title>${name}</title><username>${name}@a.org</username><password>x1</password><comment>a<br/>b</comment></entry>`
  const group = (title: string, ...names: string[]) =>
    `<group><title>${title}</title>${names.map(entry).join('')}</group>`
  const xml = `<!DOCTYPE KEEPASSX_DATABASE>\n<database>${group('Work', 'ada', 'bob')}${group('Home', 'cy')}</database>`
  const { rows } = await parseSource(xml)
  expect(rows.slice(1).map(({ cells }) => cells.slice(0, 3).join('|'))).toEqual([
    'ada|ada@a.org|x1',
    'bob|bob@a.org|x1',
    'cy|cy@a.org|x1',
  ])
})
