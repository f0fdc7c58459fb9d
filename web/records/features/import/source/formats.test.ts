import { describe, expect, test } from 'vitest'
import { finish } from '../../../../../tests/support/steps.ts'
import type { ImportSource } from '../../../model/view.ts'
import { describeRow, previewInSteps, proposeOptions } from '../preview.ts'
import { parseSource } from './parse-source.ts'

/** What the import does with a file if the user chooses nothing. */
async function preview(source: ImportSource) {
  const parsed = await parseSource(source)
  return { program: parsed.program, ...finish(previewInSteps(parsed, proposeOptions(parsed), [])) }
}

/** Name, email and password of each row that would be added, and the reasons of all others. */
async function summarize(source: ImportSource, expected: string | null = null) {
  const { program, rows, problem } = await preview(source)
  expect(problem).toBe(expected)
  return {
    program,
    added: rows.flatMap(({ outcome, fields: { eName, email, password } }) =>
      outcome === 'new' ? [[eName, email, password]] : [],
    ),
    others: rows.flatMap((row) => ('reason' in row ? [[row.number, row.outcome, describeRow(row)]] : [])),
  }
}

const ada = ['Ada Lovelace', 'ada@example.com', `'=1 "a", b\\c`]
const quoted = `"'=1 ""a"", b\\c"`

describe('files of password managers are recognised by their header:', () => {
  test.each([
    [
      'Bitwarden, own vault',
      'Bitwarden',
      `folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
Work,1,login,Ada Lovelace,,,0,https://example.com,ada@example.com,${quoted},
,,login,No email,,,0,,ada,secret,
,,note,Wi-Fi,The key is 1234,,0,,,,`,
      [
        [3, 'invalid', 'This is not an email address.'],
        [4, 'skipped', 'A note, not a login.'],
      ],
    ],
    [
      'Bitwarden, organization',
      'Bitwarden',
      `collections,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
"Social,Marketing",login,Ada Lovelace,,,0,example.com,ada@example.com,${quoted},
Finance,note,My Note,This is a secure note.,,0,,,,`,
      [[3, 'skipped', 'A note, not a login.']],
    ],
    [
      '1Password 8',
      '1Password',
      `Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes
Ada Lovelace,https://example.com,ada@example.com,${quoted},otpauth://totp/x,false,false,work,"two
lines"
Old,https://example.com,old@example.com,secret,,false,true,,`,
      [[3, 'skipped', 'Archived.']],
    ],
    [
      '1Password 7 on a Mac',
      '1Password',
      `"console password(admin_console_password)","email(email)","first name(firstname)","full name(name)","name(name)","Notes","Password","password(password)","Scope","Tags","Title","Type","type(type)","URL","Username","username(username)",
,,,,,"Follow these steps.",,,,,"Welcome to 1Password!","Secure Note",,,,,
,"it@example.com","It",,,,,,,,"Identity Item","Identity",,,"userNam3","userNam3",
,,,,,,,,,,"Visa","Credit Card","laser",,,,
,,,,,,${quoted},,,,"Ada Lovelace","Login",,"https://example.com","ada@example.com",,`,
      [
        [2, 'skipped', 'A note, not a login.'],
        [3, 'skipped', 'An identity, not a login.'],
        [4, 'skipped', 'A card, not a login.'],
      ],
    ],
    [
      '1Password 7 on Windows',
      '1Password',
      `"UUID","TITLE","USERNAME","PASSWORD","URL","URLS","EMAIL","MASTER-PASSWORD","ACCOUNT-KEY","SCOPE","AUTOSUBMIT","TAGS","NOTES"
"xjq3","Ada Lovelace","ada@example.com",${quoted},"","","","","","Default","Default","",""
"xjq4","No password","cher@example.com","","","","cher@example.com","","","Default","Default","",""
"6v56","Identity Item","","","","","","","","Default","Default","",""`,
      [
        [3, 'invalid', 'The password is missing.'],
        [4, 'skipped', 'Not a login.'],
      ],
    ],
    [
      'LastPass',
      'LastPass',
      `url,username,password,totp,extra,name,grouping,fav
https://example.com,ada@example.com,${quoted},,,Ada Lovelace,Work,0
http://sn,,,,"NoteType:Server
Password:s3cret",Server,,0`,
      [[3, 'skipped', 'A note, not a login.']],
    ],
    [
      'KeePassXC',
      'KeePassXC',
      `"Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
"Root/Work","Ada Lovelace","ada@example.com",${quoted},"","","","0","2026-01-01T10:00:00Z","2026-01-01T10:00:00Z"
"Root/Recycle Bin","Old","old@example.com","secret","","","","0","",""`,
      [[3, 'skipped', 'In the recycle bin.']],
    ],
    [
      'KeePass 1.x, and 2.x in the form of 1.x: quotes and backslashes are escaped by a backslash',
      'KeePass',
      '"Account","Login Name","Password","Web Site","Comments"\r\n' +
        '"Ada Lovelace","ada@example.com","\'=1 \\"a\\", b\\\\c","https://example.com","ends with \\\\"\r\n',
      [],
    ],
    [
      'KeePass with groups',
      'KeePass',
      '"Group","Account","Login Name","Password","Web Site","Comments"\r\n' +
        '"Work","Ada Lovelace","ada@example.com","\'=1 \\"a\\"\\, b\\\\c","",""\r\n',
      [],
    ],
  ])('%s', async (_, program, text, others) => {
    expect(await summarize(text)).toEqual({ program, added: [ada], others })
  })

  test.each([
    ['1Password', 'Title,Website,Username,Password'],
    ['Chrome or Edge', 'name,url,username,password,note'],
    ['Chrome or Edge', 'name,url,username,password'],
    ['LastPass', 'url,username,password,extra,name,grouping,fav'],
    ['KeePassXC', 'Group,Title,Username,Password,URL,Notes'],
  ])('%s, also in other versions: %s', async (program, header) => {
    const [name, username] = ada
    const cells: Record<string, string | undefined> = { title: name, name, username, password: quoted }
    const row = header.split(',').map((column) => cells[column.toLowerCase()] ?? '')
    expect(await summarize(`${header}\n${row.join()}`)).toEqual({ program, added: [ada], others: [] })
  })

  test('our own exports and other spreadsheets are none of them', async () => {
    expect((await preview('"Employee Name","Email","Password"\r\nAda,ada@example.com,x')).program).toBeNull()
    expect((await preview('Name,Title,Email\nAda,Countess,ada@example.com')).program).toBeNull()
  })
})

test('a delimiter that a program has not enclosed makes the row too wide to import', async () => {
  const header = 'name,url,username,password'
  expect(await summarize(`${header}\nAda,,ada@example.com,a,b1\nBob,,bob@example.com,c2\n`)).toEqual({
    program: 'Chrome or Edge',
    added: [['Bob', 'bob@example.com', 'c2']],
    others: [[2, 'invalid', 'This row has more cells than the others.']],
  })
  expect((await summarize(`${header}\nAda,,ada@example.com,x,\nBob,,b@example.com,y,\n`)).others).toEqual([])
})

test('an unknown type of a row has no meaning, also if it is a name that every object has', async () => {
  const text = `folder,type,name,login_username,login_password
,__proto__,Ada,ada@example.com,x
,constructor,Cher,cher@example.com,x`
  expect(await summarize(text)).toMatchObject({ others: [], added: [{}, {}] })
})

describe('Google Workspace', () => {
  const header =
    'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Org Unit Path [Required],New Primary Email [UPLOAD ONLY],Recovery Email,Home Secondary Email'

  test('first and last name are joined', async () => {
    expect(
      await summarize(
        `${header}\nAda,Lovelace,ada@example.com,engine,,/,new@example.com,private@example.com,\nCher,,cher@example.com,x,,/,,,`,
      ),
    ).toEqual({
      program: 'Google Workspace',
      added: [
        ['Ada Lovelace', 'ada@example.com', 'engine'],
        ['Cher', 'cher@example.com', 'x'],
      ],
      others: [],
    })
  })

  test('the list of users that can be downloaded has no passwords', async () => {
    const text =
      'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY],Last Sign In [READ ONLY]\nAda,Lovelace,ada@example.com,Active,Never'
    const problem = 'Choose the column for “Password”, or generate one for each row.'
    expect(await summarize(text, problem)).toMatchObject({
      program: 'Google Workspace',
      others: [[2, 'invalid', 'The password is missing.']],
    })
  })
})

describe('Bitwarden JSON', () => {
  const login = (name: string, username: string, password: string) => ({
    type: 1,
    name,
    login: { uris: [], username, password, totp: null },
  })
  const write = (content: object) => new File([JSON.stringify(content, null, 2)], 'bitwarden.json')

  test('its logins are imported, everything else is left out', async () => {
    const [eName = '', email = '', password = ''] = ada
    const items = [
      { type: 2, name: 'Wi-Fi', notes: 'key', secureNote: { type: 0 } },
      login(eName, email, password),
      { type: 3, name: 'Visa', card: {} },
      { type: 4, name: 'Ada', identity: {} },
      { type: 5, name: 'Server', sshKey: {} },
      { type: 9, name: 'Something new', login: null },
      { type: 1, name: 'Passkey', login: { username: 'x@example.com', password: null } },
      null,
    ]
    expect(await summarize(write({ encrypted: false, folders: [], items }))).toEqual({
      program: 'Bitwarden',
      added: [ada],
      others: [
        [1, 'skipped', 'A note, not a login.'],
        [3, 'skipped', 'A card, not a login.'],
        [4, 'skipped', 'An identity, not a login.'],
        [5, 'skipped', 'An SSH key, not a login.'],
        [6, 'skipped', 'Not a login.'],
        [7, 'invalid', 'The password is missing.'],
        [8, 'skipped', 'Not a login.'],
      ],
    })
  })

  test('an encrypted or another JSON file, and one without items, is refused with a reason', async () => {
    await expect(parseSource(write({ encrypted: true, data: '2.x' }))).rejects.toThrow(
      'Only your Bitwarden account can open this file.',
    )
    await expect(parseSource(write({ users: [] }))).rejects.toThrow('no program that is known')
    await expect(parseSource(write({ encrypted: false, items: [] }))).rejects.toThrow('The file is empty.')
  })
})

describe('names in two columns are joined', () => {
  const namesOf = async (text: string) => (await preview(text)).rows.map(({ fields }) => fields.eName)
  test.each([
    ['First name,Surname,Email,Password', 'Ada,Lovelace', 'Ada Lovelace'],
    ['Last Name,First Name,Email,Password', 'Lovelace,Ada', 'Ada Lovelace'],
    ['Name,Vorname,E-Mail,Passwort', 'Lovelace,Ada', 'Ada Lovelace'],
    ['Nome,Cognome,Email,Password', 'Ada,Lovelace', 'Ada Lovelace'],
    ['Nombre,Apellidos,Correo,Clave', 'Ada,Lovelace', 'Ada Lovelace'],
    ['姓,名,メール,パスワード', '山田,太郎', '山田 太郎'],
    ['姓,名,メール,パスワード', 'Lovelace,Ada', 'Ada Lovelace'],
    ['名,姓,メール,パスワード', '太郎,山田', '山田 太郎'],
    ['姓,名,电子邮件,密码', '王,秀英', '王 秀英'],
    ['姓,名,电子邮件,密码', 'Lovelace,Ada', 'Ada Lovelace'],
    ['姓,名,电子邮件,密码', 'Li,小明', 'Li 小明'],
    ['姓,メール,パスワード', '山田', '山田'],
    ['First name,Last name,Email,Password', '영희,김', '김 영희'],
    ['Name,Email,Password', '"山田, 太郎"', '山田 太郎'],
    ['Display name,First name,Email,Password', 'Countess Ada,Ada', 'Countess Ada'],
    ['Title,Name,Email,Password', 'Countess,Ada', 'Ada'],
    ['Voornaam,Tussenvoegsel,Achternaam,E-mail,Wachtwoord', 'Vincent,van,Gogh', 'Vincent van Gogh'],
    ['Voornaam,Tussenvoegsel,Achternaam,E-mail,Wachtwoord', 'Ada,,Lovelace', 'Ada Lovelace'],
    ['Name,Namenszusatz,Vorname,E-Mail,Passwort', 'Goethe,von,Johann', 'Johann von Goethe'],
    ['Nombre,Primer apellido,Segundo apellido,Correo,Contraseña', 'Ada,Byron,King', 'Ada Byron King'],
    ['Apellido 1,Apellido 2,Nombre,Correo,Contraseña', 'Byron,King,Ada', 'Ada Byron King'],
    ['Initials,Surname,Email,Password', 'A.,Lovelace', 'A. Lovelace'],
    ['Initials,First name,Surname,Email,Password', 'AL,Ada,Lovelace', 'Ada Lovelace'],
    ['Legal first name,Preferred first name,Last name,Email,Password', 'Ada,Addie,Lovelace', 'Ada Lovelace'],
    ['FName,LName,Email,Password', 'Ada,Lovelace', 'Ada Lovelace'],
  ])('%s', async (header, name, expected) => {
    expect(await namesOf(`${header}\n${name},ada@example.com,x`)).toEqual([expected])
  })
})

describe('the list is found', () => {
  const list = 'Name,Email,Password\nAda,ada@example.com,x'
  const found = [['Ada', 'ada@example.com', 'x']]
  test.each([
    ['a title and a blank row', `Staff of 2026\n\n${list}`],
    ['comments', `# made by hand, for Email\n# Name, and more\n${list}`],
    ['a version', `version:v1.0\n${list}`],
    ['a declared delimiter and a title', `sep=,\nEmails\n${list}`],
    ['a title, without a header', 'Staff\nAda,ada@example.com,x'],
    ['nothing', list],
  ])('below %s', async (_, text) => {
    expect((await summarize(text)).added).toEqual(found)
  })

  test('and no row is taken for a title that may be of the list', async () => {
    const { rows } = await preview('Ada,none,s3cret\nGrace,grace@example.com,x')
    expect(rows).toHaveLength(2)
  })

  test('in the template of Microsoft Entra', async () => {
    const header =
      'Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required,First name [givenName]'
    const example = 'Example: Chris Green,chris@contoso.example,myPassword1234,No,Chris'
    const text = `version:v1.0,,,,\n${header}\n${example}\nAda,ada@example.com,x,No,`
    expect(await summarize(text)).toEqual({
      program: 'Microsoft Entra',
      added: found,
      others: [[3, 'skipped', 'An example of the template.']],
    })
  })
})

describe('a column of names', () => {
  const namesOf = async (text: string) => (await preview(text)).rows.map(({ fields }) => fields.eName)
  test.each([
    [
      'is not the one that is empty in every row',
      'full_name,name,email,password\n,Ada,ada@example.com,x',
      'Ada',
    ],
    ['is turned round', '"Last name, First name",Email\n"Lovelace, Ada",ada@example.com', 'Ada Lovelace'],
    [
      'is left if it is not turned',
      '"Last name, First name",Email\n"Lovelace, Ada, Lady",a@b.org',
      'Lovelace, Ada, Lady',
    ],
    [
      'is turned round without such a header too',
      'Name,Email\n"Lovelace, Ada",ada@example.com',
      'Ada Lovelace',
    ],
    ['is left with a degree', 'Name,Email\n"Ada Lovelace, PhD",ada@example.com', 'Ada Lovelace, PhD'],
    ['is left if others are not turned', 'Name,Email\n"Lovelace, Ada",a@b.org\nBob,b@b.org', 'Lovelace, Ada'],
    ['is no employee number', '1042,Ada,ada@example.com,Maths\n1043,Grace,g@example.com,Navy', 'Ada'],
    ['is no employee number, whatever its header', 'Employee,Nick,Name,Email\nE-1042,A,Ada,ada@b.org', 'Ada'],
  ])('%s', async (_, text, name) => {
    expect((await namesOf(text))[0]).toBe(name)
  })
})

test('a Keeper file, which has no header, is read by its columns', async () => {
  const text =
    'Work,Ada,ada@example.com,"a b,c",https://example.com,notes\nWork,Bob,b@example.com,1,https://x.org,'
  expect((await summarize(text)).added).toEqual([
    ['Ada', 'ada@example.com', 'a b,c'],
    ['Bob', 'b@example.com', '1'],
  ])
})

test('emails are taken as they come, and the name with them if it has no column; passwords are left as they are', async () => {
  const text = [
    'Email\tPassword',
    '\u00a0\u200bada@example.com\u2060\ufeff\t\u00a0x\u200b ',
    '"""Hopper, Grace"" <grace@example.com>"\tmailto:a@b.org',
    'Alan Turing <mailto:alan@example.com>\tx',
  ].join('\n')
  const { rows } = await preview(text)
  expect(rows.map(({ fields }) => Object.values(fields))).toEqual([
    ['', 'ada@example.com', '\u00a0x\u200b '],
    ['Hopper, Grace', 'grace@example.com', 'mailto:a@b.org'],
    ['Alan Turing', 'alan@example.com', 'x'],
  ])
})
