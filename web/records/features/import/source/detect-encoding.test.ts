import { expect, test } from 'vitest'
import { decodeText } from './decode.ts'
import type { Encoding } from './encodings.ts'

/** The bytes of each character, from the decoder, because nothing on the page encodes in these. */
function makeEncoder(encoding: Encoding) {
  const decoder = new TextDecoder(encoding)
  const codes = new Map<string, number[]>()
  for (let high = 0xff; high > 0x7f; high--) {
    for (let low = 0xff; low > 0x3f; low--) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low])
    codes.set(decoder.decode(Uint8Array.of(high)), [high])
  }
  return (text: string) =>
    Uint8Array.from([...text].flatMap((character) => codes.get(character) ?? [character.charCodeAt(0)]))
}

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
  ['big5', 'zh-TW', '唐智淵|雷瑾瑜|陳淑芬|張國榮'],
  ['euc-kr', 'ko', '구소현|감윤찬|김민준|이서연'],
]

test.each(lists)('a list of names in %s is recognised', async (encoding, language, names) => {
  const text = `Name,Email,Password\r\n${names.replaceAll('|', ',someone@example.com,s3cret\r\n')},a@b.org,x`
  const decoded = await decodeText(makeEncoder(encoding)(text), undefined, [language, 'en-US', 'en'])
  expect(decoded.text).toBe(text)
})

test('a guess is unsure if other readings are as likely', async () => {
  const isSure = async (names: string, language: string) =>
    (await decodeText(makeEncoder('windows-1254')(names), undefined, [language])).isSure
  const turkish = 'Ayşe Yılmaz,Çağrı Şahin'
  expect([await isSure(turkish, 'tr'), await isSure(turkish, 'en')]).toEqual([true, false])
})
