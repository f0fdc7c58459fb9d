import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readTexts } from '../../../../../../scripts/catalogs.ts'
import { lockedVaults } from '../../../../../../tests/support/locked-vaults.ts'
import { finish } from '../../../../../../tests/support/steps.ts'
import type { ImportSource } from '../../../../model/view.ts'
import { describeRow, previewInSteps, proposeOptions } from '../../preview.ts'
import { parseSource } from '../parse-source.ts'

/** What the import does with a source if the user chooses nothing: the program, the new records, why others are left out. */
async function summarize(source: ImportSource, password?: string) {
  const parsed = await parseSource(source, { password })
  const readOptions = { ...proposeOptions(parsed), generates: true }
  const { rows, problem } = finish(previewInSteps(parsed, readOptions, []))
  expect(problem).toBeNull()
  const added = rows.flatMap(({ outcome, fields }) => (outcome === 'new' ? [Object.values(fields)] : []))
  return [parsed.program, added, rows.flatMap((row) => ('reason' in row ? [describeRow(row)] : []))]
}

const ada = ['Ada Lovelace', 'ada@example.com', 's3cret,"x"']
const withoutPassword = ['Ada Lovelace', 'ada@example.com', '']
const secret = '"s3cret,""x"""'

/** What the page says about them. */
const hint = readTexts().find((text) => text.startsWith('Works with exports from '))

const note = 'A note, not a login.'
const notLogin = 'Not a login.'
const recycled = 'In the recycle bin.'

/** Files as the programs document or write them, with all of their columns. */
const csvFiles: [program: string, text: string, added: string[][], reasons: string[]][] = [
  [
    'Dashlane',
    `username,username2,username3,title,password,note,url,category,otpSecret\nada@example.com,,,Ada Lovelace,${secret},,https://example.com,,\n,,,Wi-Fi,,The key,,,`,
    [ada],
    [notLogin],
  ],
  [
    'Keeper',
    `Work,Ada Lovelace,ada@example.com,${secret},https://example.com,,\nWork,Wi-Fi,,,,The key,\nWork,Bob,b@example.com,x,,,Shared,TFC:Keeper,otpauth://totp`,
    [ada, ['Bob', 'b@example.com', 'x']],
    [notLogin],
  ],
  [
    'NordPass',
    `name,url,additional_urls,username,password,note,cardholdername,cardnumber,cvc,pin,expirydate,zipcode,folder,full_name,phone_number,email,address1,address2,city,country,state,type,custom_fields\nWork,,,,,,,,,,,,,,,,,,,,,folder,\nAda Lovelace,https://example.com,,ada@example.com,${secret},,,,,,,,Work,,,,,,,,,password,\nVisa,,,,,,Ada,4111,123,,,,,,,,,,,,,credit_card,\nMe,,,,,,,,,,,,,Ada King,,me@example.com,,,,,,identity,\nWi-Fi,,,,,The key,,,,,,,,,,,,,,,,note,`,
    [ada],
    ['A folder, not a login.', 'A card, not a login.', 'An identity, not a login.', note],
  ],
  [
    'RoboForm',
    `Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2\nAda Lovelace,https://example.com,https://example.com,ada@example.com,${secret},,/Work,"User ID$,,,txt,ada@example.com"\nWi-Fi,,,,,The key,/,`,
    [ada],
    [notLogin],
  ],
  [
    'Enpass',
    `Ada Lovelace,Username,ada,E-mail,ada@example.com,*Password,${secret},Website,https://example.com,Note of this\nBob,Username,b@example.com,*Password,x\nWi-Fi,The key is 1234\nVisa,Cardholder,Ada,Number,4111,CVC,123\nEve,Username,e@example.com,Password,y`,
    [ada, ['Bob', 'b@example.com', 'x'], ['Eve', 'e@example.com', 'y']],
    [notLogin, notLogin],
  ],
  [
    'Proton Pass',
    `type,name,url,email,username,password,note,totp,createTime,modifyTime,vault\nlogin,Ada Lovelace,https://example.com,ada@example.com,ada,${secret},,,1706621831,1707735222,Work\nnote,Wi-Fi,,,,,The key,,1,1,Work\nalias,Shop,,a.b@passmail.example,,,,,1,1,Work\ncreditCard,Visa,,,,,{},,1,1,Work`,
    [ada],
    [note, 'An email alias, not a login.', 'A card, not a login.'],
  ],
  [
    'Passbolt',
    `Title,Username,URL,Password,Notes,Group,TOTP\nAda Lovelace,ada@example.com,https://example.com,${secret},,Work,`,
    [ada],
    [],
  ],
  [
    'Zoho Vault',
    `"Password Name","Description","Password URL","SecretData","Notes","CustomData","Tags","Classification","Favorite","TOTP","Folder Name"\nAda Lovelace,,https://example.com,"SecretType:Web Account\nUser Name:ada@example.com\nPassword:s3cret,""x""\n",,"",,E,0,,Work\nWi-Fi,,,"SecretType:Notes\n",,"",,E,0,,`,
    [ada],
    [notLogin],
  ],
  [
    'Chrome or Edge',
    `name,url,username,password,note\nAda Lovelace,https://example.com,ada@example.com,${secret},`,
    [ada],
    [],
  ],
  [
    'Firefox',
    `"url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"\n"https://example.com","ada@example.com",${secret},,"https://example.com","{5b}","1","1","1"`,
    [['https://example.com', ...ada.slice(1)]],
    [],
  ],
  [
    'Safari',
    `Title,URL,Username,Password,OTPAuth\nAda Lovelace,https://example.com/,ada@example.com,${secret},`,
    [ada],
    [],
  ],
  [
    'Apple Passwords',
    `Title,URL,Username,Password,Notes,OTPAuth\nAda Lovelace,https://example.com/,ada@example.com,${secret},,`,
    [ada],
    [],
  ],
  [
    'Buttercup',
    `!type,!group_id,!group_name,!group_parent,id,title,username,password,URL\ngroup,g1,General,0,,,,,\nentry,g1,,,e1,Ada Lovelace,ada@example.com,${secret},https://example.com\nentry,g2,Trash,,e2,Bob,b@example.com,x,`,
    [ada],
    [notLogin, recycled],
  ],
  [
    'Password Safe',
    `Group/Title\tUsername\tPassword\tURL\tAutoType\tHistory\te-mail\tNotes\nWork.Ada Lovelace\tada\ts3cret,"x"\thttps://example.com\t\t00000\tada@example.com\t"a"\nBob»Ray\tb@example.com\tx\t\t\t\t\t""`,
    [ada, ['Bob.Ray', 'b@example.com', 'x']],
    [],
  ],
  [
    'Kaspersky',
    `Websites\n\nWebsite name: Ada Lovelace\nWebsite URL: https://example.com\nLogin name: Me\nLogin: ada@example.com\nPassword: s3cret,"x"\nComment: a\nPassword: b\n\n---\n\nApplications\n\nApplication: Bob\nLogin name: \nLogin: b@example.com\nPassword: x\nComment: \n\n---\n\nNotes\n\nName: Wi-Fi\nText: The key\n\n---\n`,
    [ada, ['Bob', 'b@example.com', 'x']],
    [note],
  ],
  [
    'Microsoft Entra',
    `userPrincipalName,displayName,surname,mail,givenName,objectId,userType\nada@example.com,Ada Lovelace,Lovelace,,Ada,0b1e,Member`,
    [withoutPassword],
    [],
  ],
  [
    'Slack',
    `username,email,status,billing-active,has-2fa,has-sso,userid,fullname,displayname,expiration-timestamp\nada,ada@example.com,Member,1,1,0,U1,Ada Lovelace,ada,\nbob,b@example.com,Deactivated,0,0,0,U2,Bob,bob,\nbeep,beep@example.com,Bot,0,0,0,U3,Beep,beep,`,
    [withoutPassword],
    ['Deactivated in Slack.', 'A bot, not a person.'],
  ],
  [
    'BambooHR',
    `Employee #,"Last name, First name",Job Title,Department,Work Email\n1042,"Lovelace, Ada",Countess,Maths,ada@example.com`,
    [withoutPassword],
    [],
  ],
  [
    'Personio',
    `ID,First name,Last name,Email,Status,Hire date,Employment type,Weekly working hours\n7,Ada,Lovelace,ada@example.com,Active,2026-01-01,Internal,40`,
    [withoutPassword],
    [],
  ],
]

describe('a list of a program is recognised, and what is not a login is left out', () => {
  test.each(csvFiles)('%s', async (program, text, added, reasons) => {
    expect(await summarize(text)).toEqual([program, added, reasons])
    for (const name of program.split(' or ')) expect(hint).toContain(name)
  })
})

const file = (content: string | Uint8Array<ArrayBuffer>, name: string) => new File([content], name)
const [name, username, password] = ada

const onePasswordLogin = (more: object) => ({
  state: 'active',
  categoryUuid: '001',
  overview: { title: name },
  details: {
    loginFields: [
      { value: username, name: 'email', fieldType: 'E', designation: 'username' },
      { value: password, name: 'password', fieldType: 'P', designation: 'password' },
    ],
  },
  ...more,
})

const exportData = {
  accounts: [
    {
      attrs: { name: 'Work' },
      vaults: [
        {
          attrs: { name: 'Team' },
          items: [
            onePasswordLogin({}),
            onePasswordLogin({ state: 'archived' }),
            {
              categoryUuid: '003',
              state: 'active',
              overview: { title: 'Wi-Fi' },
              details: { notesPlain: 'x' },
            },
            { categoryUuid: '002', state: 'active', overview: { title: 'Visa' }, details: { sections: [] } },
          ],
        },
      ],
    },
  ],
}

const psono = {
  folders: [
    {
      name: 'Work',
      items: [
        {
          type: 'website_password',
          name,
          website_password_title: name,
          website_password_username: username,
          website_password_password: password,
        },
      ],
    },
  ],
  items: [{ type: 'note', name: 'Wi-Fi', note_notes: 'The key', note_title: 'Wi-Fi' }],
}

const proton = {
  version: '1.31.0',
  encrypted: false,
  vaults: {
    a: {
      name: 'Work',
      items: [
        {
          data: {
            metadata: { name },
            type: 'login',
            content: { itemEmail: username, itemUsername: 'ada', password },
          },
          state: 1,
        },
        { data: { metadata: { name: 'Wi-Fi', note: 'The key' }, type: 'note', content: {} }, state: 1 },
        {
          data: { metadata: { name }, type: 'login', content: { itemEmail: username, password: 'x' } },
          state: 2,
        },
      ],
    },
  },
}

const enpass = {
  folders: [],
  items: [
    {
      title: name,
      category: 'login',
      trashed: 0,
      archived: 0,
      fields: [
        { label: 'Username', type: 'username', value: 'ada' },
        { label: 'E-mail', type: 'email', value: username },
        { label: 'Password', type: 'password', value: 'before', deleted: 1 },
        { label: 'Password', type: 'password', value: password, deleted: 0 },
      ],
    },
    { title: 'Wi-Fi', category: 'note', fields: [], note: 'The key' },
    { title: 'Visa', category: 'creditcard', fields: [{ label: 'Number', type: 'ccNumber', value: '4' }] },
  ],
}

const keePassEntry = (title: string, history = '') =>
  `<Entry><UUID>e==</UUID><String><Key>Title</Key><Value>${title}</Value></String><String><Key>UserName</Key><Value>${username}</Value></String><String><Key>Password</Key><Value ProtectInMemory="True">s3cret,&quot;x&quot;</Value></String>${history}</Entry>`
const keePass = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<KeePassFile><Meta><RecycleBinUUID>bin==</RecycleBinUUID></Meta><Root><Group><UUID>root==</UUID><Name>Work</Name>
${keePassEntry('Ada Lovelace', `<History>${keePassEntry('Before')}</History>`)}
<Group><UUID>bin==</UUID><Name>Recycle Bin</Name>${keePassEntry('Old')}</Group></Group></Root></KeePassFile>`

const card = (title: string, more: string, fields: string) =>
  `<card title="${title}" symbol="web_site" ${more}>${fields}<label_id>1</label_id><notes>a</notes></card>`
const cardFields =
  '<field name="Login" type="login">ada@example.com</field><field name="Password" type="password" score="4">s3cret,"x"</field>'
const safeInCloud = `<?xml version="1.0" encoding="utf-8"?>\n<database>\n<label name="Work" id="1"/>${card('Ada Lovelace', 'deleted="false"', cardFields)}${card('Old', 'deleted="true"', cardFields)}${card('Sample', 'template="true"', '')}${card('Wi-Fi', 'type="note"', '')}</database>`

const fSecure = {
  data: {
    a: { service: name, username, password, style: 'website', url: '', passwordList: ['before'] },
    b: { service: 'Visa', username: '', password: '1234', style: 'creditcard', url: '' },
  },
}

const passwordSafe = `<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet type="text/xsl" href="pwsafe.xsl"?>\n<passwordsafe delimiter=";"><entry id="1"><group><![CDATA[Work]]></group><title><![CDATA[Ada Lovelace]]></title><username><![CDATA[ada]]></username><password><![CDATA[s3cret,"x"]]></password><email><![CDATA[ada@example.com]]></email><pwhistory><history_entries><history_entry num="1"><oldpassword><![CDATA[before]]></oldpassword></history_entry></history_entries></pwhistory></entry></passwordsafe>`

describe('a vault is read', () => {
  test.each<[string, File, unknown[]]>([
    [
      'Proton Pass, as JSON',
      file(JSON.stringify(proton), 'a.json'),
      ['Proton Pass', [ada], [note, 'In the recycle bin.']],
    ],
    [
      'Enpass, as JSON',
      file(JSON.stringify(enpass), 'a.json'),
      ['Enpass', [ada], [note, 'A card, not a login.']],
    ],
    [
      '1Password, as 1PUX',
      file(
        zipSync({
          'export.attributes': strToU8('{}'),
          'export.data': strToU8(JSON.stringify(exportData)),
          'files/a': strToU8('x'),
        }),
        'a.1pux',
      ),
      ['1Password', [ada], ['Archived.', note, 'A card, not a login.']],
    ],
    ['Psono, as JSON', file(JSON.stringify(psono), 'a.json'), ['Psono', [ada], [note]]],
    ['KeePass, as XML', file(keePass, 'a.xml'), ['KeePass', [ada], [recycled]]],
    [
      'SafeInCloud, as XML',
      file(safeInCloud, 'a.xml'),
      ['SafeInCloud', [ada], [recycled, 'An example of the template.', note]],
    ],
    ['F-Secure', file(JSON.stringify(fSecure), 'a.fsk'), ['F-Secure', [ada], ['A card, not a login.']]],
    ['Password Safe, as XML', file(passwordSafe, 'a.xml'), ['Password Safe', [ada], []]],
  ])('%s', async (_, source, summary) => {
    expect(await summarize(source)).toEqual(summary)
  })

  test('XML that is cut is refused', async () => {
    await expect(summarize(file(keePass.slice(0, -30), 'a.xml'))).rejects.toThrow('damaged or incomplete')
  })
})

test('Enpass writes its labels in the language of its user', async () => {
  const text = `"Titel","Feld","Wert","Feld","Wert","Feld","Wert","Notiz"\n"Ada Lovelace","Benutzername","ada","E-Mail","ada@example.com","*Passwort",${secret},"Webseite","https://example.com","a"\n"Bob","Benutzername","b@example.com","E-Mail","","*Passwort","x",""`
  expect(await summarize(text)).toEqual(['Enpass', [ada, ['Bob', 'b@example.com', 'x']], []])
})

test.each([
  'Batman,password,Wayne,Bruce,b@example.com',
  'ada,password,Lovelace,Ada,a@example.com\nbob,password,Hall,Bob,b@example.com\neve,password,Doe,Eve,e@example.com',
  '"folder","favorite","type","name","notes","fields","reprompt","login_uri","login_username","login_password","login_totp"',
])('the word "password" in a list without labels makes it none of Enpass: %s', async (text) => {
  const { program } = await parseSource(text)
  expect(program).not.toBe('Enpass')
})

test('1Password writes the names of columns behind those in the language of its user', async () => {
  const text = `"titre(title)","type(type)","url(URL)","nom(username)","mot de passe(password)","tags(tags)"\n"Ada Lovelace","Login","https://example.com","ada@example.com",${secret},"{(\n    work\n)}"`
  expect(await summarize(text)).toEqual(['1Password', [ada], []])
})

test('the items of earlier versions of 1Password are read', async () => {
  const rule = '***5642bee8-a5ff-11dc-8314-0800200c9a66***'
  const fields = [
    { value: 'old', name: 'a' },
    { value: username, name: 'email', designation: 'username' },
    { value: password, name: 'pw', designation: 'password' },
  ]
  const sections = [
    {
      fields: [
        { k: 'string', n: 'username', v: username },
        { k: 'concealed', n: 'password', v: password },
      ],
    },
  ]
  const items = [
    { title: name, typeName: 'webforms.WebForm', secureContents: { fields } },
    { title: name, typeName: 'webforms.WebForm', secureContents: { fields }, trashed: true },
    { title: name, typeName: 'wallet.computer.Database', secureContents: { sections } },
    { title: 'Wi-Fi', typeName: 'securenotes.SecureNote', secureContents: { notesPlain: 'a' } },
  ]
  const text = items.map((item) => `${JSON.stringify(item)}\n${rule}\n`).join('')
  const [program, added, reasons] = await summarize(file(text, 'data.1pif'))
  expect([program, added, reasons]).toEqual(['1Password', [ada], [recycled, note]])
  await expect(summarize(file(text.replace('}', ''), 'data.1pif'))).rejects.toThrow('damaged')
})

test('a page that RoboForm prints has a table for each login', async () => {
  const table = (title: string, email: string, secret: string) =>
    `<TABLE width=100%><TR><TD class=caption colspan=3>${title}</TD></TR><TR><TD colspan=3>https://example.com</TD></TR><TR><TD>User ID$</TD><TD></TD><TD>${email}</TD></TR><TR><TD>Password$</TD><TD></TD><TD>${secret}</TD></TR></TABLE>`
  const page = `<html><title>RoboForm Logins List</title><body>${table('Ada Lovelace', 'ada@example.com', 's3cret,"x"')}${table('Bob', 'b@example.com', 'x')}</body></html>`
  expect(await summarize(file(page, 'a.html'))).toEqual([null, [ada, ['Bob', 'b@example.com', 'x']], []])
})

test('a list with the columns of a browser among others is not called by its name', async () => {
  const text = 'title,username,password,url,group\nAda,ada@example.com,x1,https://example.com,Work'
  expect((await summarize(text.replace('group', 'team')))[0]).toBeNull()
  expect((await summarize(text.replace(',group', '').replace(',Work', '')))[0]).toBe('Safari')
})

test('asks about the lines below a password of Kaspersky', async () => {
  const text = (password: string) =>
    `Websites\n\nWebsite name: A\nLogin: ada@example.com\nPassword: ${password}\nComment: \n\n---\n`
  expect((await parseSource(text('x1'))).doubts).toEqual([])
  expect((await parseSource(text('x1\ny2'))).doubts).toHaveLength(1)
})

test('asks about the lines below a password of Zoho Vault', async () => {
  const read = async (lines: string) => {
    const secret = `SecretType:Web Account\r\nUser Name:ada@example.com\r\nPassword:${lines}`
    const { rows, doubts = [] } = await parseSource(`Secret Name,SecretData\nAda,"${secret}"`)
    return [rows[1]?.cells[2], doubts.length]
  }
  expect(await read('a1 \r\n')).toEqual(['a1 ', 0])
  expect(await read('a1\nUser Name:ada@example.com\n')).toEqual(['a1', 0])
  expect(await read('a1\nb2\n\nc3\n')).toEqual(['a1\nb2\n\nc3', 1])
  expect(await read('a1\nb2: c3\n')).toEqual(['a1\nb2: c3', 1])
  expect(await read('a1\nKey: c3\n')).toEqual(['a1', 1])
})

test.each(Object.entries(lockedVaults))(
  'a Bitwarden file is opened with its password by %s',
  async (_, text) => {
    const locked = file(text, 'bitwarden.json')
    const opened = await summarize(locked, 'horse battery')
    expect(opened).toEqual(['Bitwarden', [['Ada Lovelace', 'ada@example.com', 'analytical engine']], [note]])
    await expect(summarize(locked)).rejects.toThrow(
      expect.objectContaining({ name: 'LockedError', message: '' }),
    )
    await expect(summarize(locked, 'wrong')).rejects.toThrow('This password doesn’t open the file.')
  },
)
