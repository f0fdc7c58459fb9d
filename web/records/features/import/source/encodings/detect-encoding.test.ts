import { expect, test } from 'vitest'
import { makeEncoder } from '../../../../../../tests/support/encode.ts'
import { decodeText } from './decode.ts'
import type { Encoding } from './encodings.ts'

const lists: [Encoding, string, string][] = [
  ['windows-1252', 'de', 'Jürgen Groß|Zoë Müller|Björn Sjöström|Renée Lefèvre'],
  ['macintosh', 'fr', 'Renée Lefèvre|François Noël|Jérôme Bérenger|Hélène Maçon'],
  ['windows-1250', 'pl', 'Małgorzata Wójcik|Łukasz Dąbrowski|Święta Źródłowska|Jiří Dvořák'],
  ['windows-1251', 'ru', 'Анна Исаева|Владислав Орлов|Ирина Щербакова|Юрий Жуков'],
  ['windows-1253', 'el', 'Αλέξανδρος Παπαδόπουλος|Ελένη Γεωργίου|Δημήτρης Νικολάου'],
  ['windows-1254', 'tr', 'Ayşe Yılmaz|Çağrı Şahin|Gökhan Öztürk|İbrahim Güneş'],
  ['windows-1255', 'he', 'אילנה דרור|אופיר ישראלי|שירה כהן|יעקב לוי'],
  ['windows-1256', 'ar', 'بتول الغربي|محمد الهاشمي|فاطمة الزهراء|خالد منصور'],
  ['windows-1257', 'lv', 'Dārta Kronberga|Jānis Bērziņš|Līga Kalniņa|Ģirts Šmits'],
  ['windows-1258', 'vi', 'Đă\u0323ng Thi\u0323 Hươ\u0300ng|Ngô Bích Nga|Diê\u0303m Kiê\u0300u'],
  ['shift_jis', 'ja', '山田 太郎|鈴木 さくら|児玉 恵美子|中原 正雄'],
  ['euc-jp', 'ja', '山田 太郎|鈴木 さくら|児玉 恵美子|中原 正雄'],
  ['gb18030', 'zh-CN', '王秀英|张建国|刘丽华|陈志强'],
  ['ibm850', 'de', 'Jürgen Groß|Zoë Müller|Björn Sjöström|Renée Lefèvre'],
  ['ibm852', 'cs', 'Jiří Dvořák|Tomáš Černý|Zdeněk Růžička'],
  ['iso-8859-2', 'pl', 'Małgorzata Wójcik|Łukasz Dąbrowski|Święta Źródłowska'],
  ['x-mac-ce', 'pl', 'Małgorzata Wójcik|Łukasz Dąbrowski|Święta Źródłowska'],
  ['koi8-r', 'ru', 'Анна Исаева|Владислав Орлов|Ирина Щербакова|Юрий Жуков'],
  ['koi8-u', 'uk', 'Олександр Шевченко|Їжак Кравців|Євгенія Ткачук'],
  ['ibm866', 'en', 'Анна Исаева|Владислав Орлов|Ирина Щербакова|Юрий Жуков'],
  ['iso-8859-5', 'en', 'Анна Исаева|Владислав Орлов|Ирина Щербакова|Юрий Жуков'],
  ['x-mac-cyrillic', 'en', 'Анна Исаева|Владислав Орлов|Ирина Щербакова|Юрий Жуков'],
  ['ibm737', 'el', 'Αλέξανδρος Παπαδόπουλος|Ελένη Γεωργίου|Δημήτρης Νικολάου'],
  ['ibm857', 'tr', 'Ayşe Yılmaz|Çağrı Şahin|Gökhan Öztürk|İbrahim Güneş'],
  ['ibm775', 'lt', 'Žydrūnas Kazlauskienė|Rūta Žukauskas|Šarūnas Šimkus'],
  ['ibm862', 'he', 'אילנה דרור|אופיר ישראלי|שירה כהן|יעקב לוי'],
  ['windows-874', 'th', 'สมชาย ใจดี|สมหญิง รักไทย|วิชัย ศรีสุข'],
  ['big5', 'zh-TW', '唐智淵|雷瑾瑜|陳淑芬|張國榮'],
  ['euc-kr', 'ko', '구소현|감윤찬|김민준|이서연'],
]

test.each(lists)('a list of names in %s is recognised', async (encoding, language, names) => {
  const text = `Name,Email,Password\r\n${names.replaceAll('|', ',someone@example.com,s3cret\r\n')},a@b.org,x`
  const decoded = await decodeText(makeEncoder(encoding)(text), undefined, [language, 'en-US', 'en'])
  expect(decoded.text).toBe(text)
})

test.each([
  ['a list of one name', 'ibm850', 'en', 'Zoë'],
  ['letters of no language that is known', 'windows-1251', 'en', 'Ѓѓ Ѕѕ|Џџ Ћћ'],
  [
    'Romanian with commas below, where others have cedillas',
    'iso-8859-16',
    'en',
    'Ștefan Țurcanu|Ionuț Bălan',
  ],
  [
    'a small letter that begins a name among others with capital letters',
    'ibm852',
    'en',
    'Dvořák|Łukasz|Ada',
  ],
  ['a quotation mark in a password', 'macintosh', 'en', 'Jürgen|Groß,x@example.com,“\r\nAda'],
  [
    'a header in another language than the names',
    'ibm857',
    'en',
    'Contraseña,Correo electrónico,Nombre\r\nYılmaz',
  ],
] as const)('a guess is asked about if it is not sure: %s', async (_, encoding, language, names) => {
  const text = names.replaceAll('|', ',x@example.com\r\n')
  // The last line counts, also without a line end.
  expect((await decodeText(makeEncoder(encoding)(text), undefined, [language])).isSure).toBe(false)
})

test('a password is no evidence of an encoding', async () => {
  const text = 'Password,Email,Name\n“Z61“!8,a@example.com,Groß Jürgen\n|X,b@example.com,Muñoz Groß'
  expect(await decodeText(makeEncoder('macintosh')(text), undefined, ['en'])).toMatchObject({ isSure: false })
})

test.each([
  ['ibm862', 'he', 'שמרית שוהם|צור קדר|יהלום זמורה|אהוד קידר|מנחם גלעד|מורן איתם|לביא שלג|יעלה נריה'],
  ['windows-874', 'th', 'นฤมล ดำรงค์|กีรติวัฒนานุศาสน์ ฤภณ|ถนอม ฑิตฐิตา|ษมา ฮะมงคล'],
  ['ibm857', 'tr', 'İlgi İnönü|İhsan İzgü|Çağrı Şahin|Gökhan Öztürk'],
  ['windows-1253', 'el', 'Θωμαΐς Δαΐκου|Ιωάννα Ζαΐμη|Θωμάς Μωραΐτης|Ελένη Γεωργίου|Ήρα Όσκαρη'],
  ['windows-1251', 'uk', "Ім'я|Дем'ян Яценко|В'ячеслав Єфименко|Лук'ян Їжакевич|Мар'яна Шевченко"],
] as const)(
  'names in %s for a reader of %s are read without a question',
  async (encoding, language, names) => {
    const text = `Name,Email\r\n${names.replaceAll('|', ',someone@example.com\r\n')},a@b.org`
    const decoded = await decodeText(makeEncoder(encoding)(text), undefined, [language])
    expect(decoded).toMatchObject({ text, isSure: true })
  },
)

test('a plus sign in a password is none of UTF-7', async () => {
  for (const password of ['h+zvxRt5C!', 'EAZ-V+m57w%b$', 'x+AOk-y+1'])
    expect(await decodeText(new Uint8Array(Buffer.from(`Ada,a@b.org,${password}`)))).toMatchObject({
      encoding: 'utf-8',
    })
})

test('a header that is known, and emails that spell the names, make a guess sure', async () => {
  const isSure = async (text: string) =>
    (await decodeText(makeEncoder('ibm850')(text), undefined, ['en'])).isSure
  expect(await isSure('Name,Email\r\nZoë,z@example.com')).toBe(false)
  expect(await isSure('Name,Email\r\nZoë Müller,zoe.mueller@example.com\r\nRené,rene@example.com')).toBe(true)
})

test('escape sequences, Base64 and zeros tell an encoding; Base64 is asked about', async () => {
  const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding))
  const japanese = await decodeText(bytes('\x1b$B;3ED\x1b(B,a@b.org', 'latin1'))
  expect(japanese).toEqual({ text: '山田,a@b.org', encoding: 'iso-2022-jp', isSure: true })
  const german = await decodeText(bytes('J+APw-rgen,j+-1@b.org', 'latin1'))
  expect(german).toEqual({ text: 'Jürgen,j+1@b.org', encoding: 'utf-7', isSure: false })
  expect(await decodeText(bytes('Ada,a+b@b.org,c+d1', 'latin1'))).toMatchObject({
    encoding: 'utf-8',
    isSure: true,
  })
  const wide = [...'Zoë,z@b.org'].map((character) => `${character}\0`).join('')
  expect(await decodeText(bytes(wide, 'utf16le'))).toMatchObject({
    text: 'Zoë,z@b.org',
    encoding: 'utf-32le',
  })
})

test('UTF-8 with some rows in another encoding is asked about, as are few bytes that are both', async () => {
  const mixed = Uint8Array.of(...Buffer.from('Jürgen Groß,Zoë Müller,Håkan,'), 0xe9)
  expect(await decodeText(mixed)).toMatchObject({ encoding: 'utf-8', isSure: false })
  expect((await decodeText(makeEncoder('big5')('甯鈺涵,a@b.org'))).isSure).toBe(false)
})
