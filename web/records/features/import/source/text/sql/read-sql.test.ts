import { expect, test } from 'vitest'
import { parseSource } from '../../parse-source.ts'

/** The first cells of the rows below the header, and whether anything is asked about them. */
async function read(text: string, choice?: number) {
  const {
    rows,
    doubts = [],
    layout,
    workbook,
  } = await parseSource(new File([text], 'staff.sql'), choice === undefined ? {} : { choice })
  const data = rows.slice(layout.hasHeader ? 1 : 0)
  return {
    rows: data.map(({ cells }) => cells.join('|')),
    failed: data.flatMap(({ failedColumns = [] }) => failedColumns),
    doubts: doubts.map((doubt) => String(doubt[1])),
    columns: Object.values(layout.columns).slice(0, 3),
    tables: workbook?.sheets.map(({ name }) => name),
  }
}

const rows = ["1|Ada Lovelace|ada@a.org|s3cret'x", '2|Bob Hope|bob@a.org|y,2);', '3|Eve|eve@a.org|a\\b"c']
const escaped = `(1,'Ada Lovelace','ada@a.org','s3cret\\'x'),(2,'Bob Hope','bob@a.org','y,2);'),\n(3,'Eve','eve@a.org','a\\\\b\\"c')`
const doubled = `(1,'Ada Lovelace','ada@a.org','s3cret''x'),\n\t (2,'Bob Hope','bob@a.org','y,2);'),\n(3,'Eve','eve@a.org','a\\b"c')`
const columns = '(id, name, email, password)'

test.each([
  [
    'mysqldump',
    `-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;\nDROP TABLE IF EXISTS \`users\`;\nCREATE TABLE \`users\` (\n  \`id\` int NOT NULL,\n  \`name\` varchar(100) DEFAULT 'x,y',\n  \`email\` varchar(100),\n  \`password\` varchar(100) COMMENT 'a (b) , c',\n  PRIMARY KEY (\`id\`),\n  UNIQUE KEY \`email\` (\`email\`)\n) ENGINE=InnoDB;\nLOCK TABLES \`users\` WRITE;\nINSERT INTO \`users\` VALUES ${escaped};\nUNLOCK TABLES;\nDELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW BEGIN SET @a = 1; END ;;\nDELIMITER ;\n`,
  ],
  [
    'phpMyAdmin',
    `-- phpMyAdmin SQL Dump\nSET SQL_MODE = "x";\nSTART TRANSACTION;\nINSERT INTO \`users\` (\`id\`, \`name\`, \`email\`, \`password\`) VALUES\n${escaped};\nCOMMIT;\n`,
  ],
  [
    'pg_dump',
    `--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET standard_conforming_strings = on;\nCREATE TABLE public.users (id integer, name text);\nCOPY public.users ${columns} FROM stdin;\n1\tAda Lovelace\tada@a.org\ts3cret'x\n2\tBob Hope\tbob@a.org\ty,2);\n3\tEve\teve@a.org\ta\\\\b"c\n\\.\nALTER TABLE users ADD PRIMARY KEY (id);\n`,
  ],
  [
    'the shell of SQLite',
    `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE users(id integer primary key, name text, email text, password text);\n${doubled
      .split(/,\n\s*(?=\()/)
      .map((values) => `INSERT INTO users VALUES${values};`)
      .join('\n')}\nCOMMIT;\n`,
  ],
  [
    'SQL Server',
    `USE [staff]\nGO\nSET IDENTITY_INSERT [dbo].[Users] ON\nGO\n${doubled
      .replaceAll(/'((?:[^']|'')*)'/g, "N'$1'")
      .split(/,\n\s*(?=\()/)
      .map((values) => `INSERT [dbo].[Users] ([Id], [Name], [Email], [Password]) VALUES ${values}`)
      .join('\nGO\n')}\nGO\n`,
  ],
])('the records that %s has written are read', async (_, text) => {
  expect(await read(text)).toMatchObject({ rows, doubts: [], columns: [1, 2, 3] })
  expect(await read(text.replaceAll('\n', '\r\n'))).toMatchObject({ rows, doubts: [] })
})

test('backslashes of a database that is not known are asked about', async () => {
  const start = `INSERT INTO users ${columns} VALUES `
  expect(await read(`${start}${doubled};`)).toMatchObject({ rows, doubts: [expect.stringContaining('\\t')] })
  expect(await read(`${start}${escaped};`)).toMatchObject({ rows, doubts: [expect.stringContaining('\\t')] })
  expect(await read(`${start}(1,'Ada','ada@a.org','x1');`)).toMatchObject({ doubts: [] })
})

test('texts of several lines are read as SQLite writes them, and what is computed otherwise has failed', async () => {
  const values = `('Ada', 'ada@a.org', replace('a\\nb','\\n',char(10))), ('Bob', 'bob@a.org', md5('x')), ('Cy', 'cy@a.org', 'a' || 'b'), ('Di', 'di@a.org', unistr('a\\u000ab')), ('Eve', NULL, CAST(N'x' AS NVarChar(9)))`
  const { rows, failed } = await read(
    `PRAGMA a;\nINSERT INTO users (name, email, password) VALUES ${values} ON CONFLICT DO NOTHING;`,
  )
  expect(rows).toEqual(['Ada|ada@a.org|a\nb', 'Bob|bob@a.org|', 'Cy|cy@a.org|', 'Di|di@a.org|a\nb', 'Eve||x'])
  expect(failed).toEqual([2, 2])
})

test('texts in other marks are read, and bytes are no texts', async () => {
  const insert = 'INSERT INTO users (name, email, password) VALUES'
  const { rows } = await read(`${insert} ("Ada ""L""", "ada@a.org", "it's");`)
  expect(rows).toEqual([`Ada "L"|ada@a.org|it's`])
  expect(await read(`${insert} ('Ada', 'ada@a.org', 0x7831), ('Bob', 'bob@a.org', X'7832');`)).toMatchObject({
    rows: ['Ada|ada@a.org|', 'Bob|bob@a.org|'],
    failed: [2, 2],
  })
  const copy = 'COPY users (name, email, password) FROM stdin;\nAda\tada@a.org\t\\\\x7831\n\\.\n'
  expect(await read(`-- PostgreSQL database dump\n${copy}`)).toMatchObject({
    rows: ['Ada|ada@a.org|\\x7831'],
    doubts: [expect.stringContaining('\\t')],
  })
})

test('of several tables the one with emails is read, another by choice', async () => {
  const text =
    "INSERT INTO logs (id, text) VALUES (1, 'a');\nINSERT INTO users (name, email, password) VALUES ('Ada','ada@a.org','x1');\nINSERT INTO users (email, name) VALUES ('bob@a.org','Bob');\nINSERT INTO logs SELECT * FROM old;\n"
  expect(await read(text)).toMatchObject({
    rows: ['Ada|ada@a.org|x1', 'Bob|bob@a.org'],
    tables: ['logs', 'users'],
  })
  expect((await read(text, 0)).rows).toEqual(['id|text', '1|a'])
})

test('a dump is in the encoding that it names, also beside bytes that are no text', async () => {
  const insert = "INSERT INTO `users` (name, email, pic) VALUES ('Zo\u00eb', 'zoe@a.org', _binary '"
  const readBytes = async (start: string, encoding: 'utf8' | 'latin1', choice?: 'utf-8') => {
    const pieces = [
      Buffer.from(start + insert, encoding),
      Buffer.from([0xff, 0x81, 0xfe]),
      Buffer.from("');\n"),
    ]
    const source = await parseSource(new File([Buffer.concat(pieces)], 'staff.sql'), choice ? { choice } : {})
    return { name: source.rows[1]?.cells[0], isUnsure: source.isEncodingUnsure, encoding: source.encoding }
  }
  const named = { name: 'Zoë', isUnsure: false, encoding: null }
  expect(await readBytes('-- MariaDB dump\n/*!40101 SET NAMES utf8mb4 */;\n', 'utf8')).toEqual(named)
  expect(await readBytes('-- MySQL dump\n/*!40101 SET NAMES latin1 */;\n', 'latin1')).toEqual(named)
  const guessed = await readBytes('', 'utf8')
  expect([guessed.isUnsure, typeof guessed.encoding]).toEqual([true, 'string'])
  expect(await readBytes('', 'utf8', 'utf-8')).toEqual({ ...named, encoding: 'utf-8' })
})

test('a pasted statement is read too', async () => {
  const { rows } = await parseSource("insert into users (name, email) values ('Ada', 'ada@a.org')")
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['name', 'email'],
    ['Ada', 'ada@a.org'],
  ])
})

test.each([
  ["UPDATE users SET password='x1' WHERE email='ada@a.org';", 'can’t be read'],
  ["CREATE USER 'ada'@'localhost' IDENTIFIED BY 'x1';\nGRANT ALL ON a.* TO 'ada';", 'can’t be read'],
  ["INSERT INTO users (name, email) VALUES ('Ada', 'ada@a.org'), ('Bob', 'bob@a", 'damaged'],
  ["INSERT INTO users (name, email) VALUES ('Ada', 'ada@a.org', 'x1');", 'damaged'],
  ['COPY users (name, email) FROM stdin;\nAda\tada@a.org\nBob\tbob@a', 'damaged'],
])('of %s nothing is imported', async (text, problem) => {
  await expect(parseSource(text)).rejects.toThrow(problem)
})
