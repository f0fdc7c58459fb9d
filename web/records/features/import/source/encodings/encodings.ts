import { type Message, msg, t } from '../../../../../language/translate.ts'

const unicode = msg('Unicode')
const western = msg('Western')
const northern = msg('Nordic')
const central = msg('Central European')
const romanian = msg('Romanian')
const cyrillic = msg('Cyrillic')
const greek = msg('Greek')
const turkish = msg('Turkish')
const hebrew = msg('Hebrew')
const arabic = msg('Arabic')
const baltic = msg('Baltic')
const vietnamese = msg('Vietnamese')
const thai = msg('Thai')
const japanese = msg('Japanese')
const chinese = msg('Chinese')
const korean = msg('Korean')

const west = 'mul de nl fr es ca pt it sv da fi is ga'
const north = 'sv da fi is'
const centre = 'pl cs sk hu hr sl sq'

type Row = readonly [label: string, region: Message, name: string, languages: string, rarity: number]

/**
 * The encodings: label in the Encoding Standard or the IANA's list, writing region and name for the user, the languages for which it
 * is guessed, and how much rarer it is than the usual one, in nats.
 */
const table = [
  ['utf-8', unicode, 'UTF-8', '', 0],
  ['utf-16le', unicode, 'UTF-16 LE', '', 0],
  ['utf-16be', unicode, 'UTF-16 BE', '', 0],
  ['utf-32le', unicode, 'UTF-32 LE', '', 0],
  ['utf-32be', unicode, 'UTF-32 BE', '', 0],
  ['utf-7', unicode, 'UTF-7', '', 0],
  ['windows-1252', western, 'Windows-1252', west, 0],
  ['iso-8859-15', western, 'ISO 8859-15', west, 2],
  ['macintosh', western, 'Mac OS Roman', west, 2],
  ['ibm850', western, 'DOS 850', west, 2],
  ['ibm858', western, 'DOS 858', west, 3],
  ['ibm437', western, 'DOS 437', 'de fr es it sv fi', 3],
  ['ibm860', western, 'DOS 860', 'pt', 5],
  ['ibm863', western, 'DOS 863', 'fr', 5],
  ['iso-8859-3', western, 'ISO 8859-3', 'eo mt', 5],
  ['iso-8859-14', western, 'ISO 8859-14', 'cy ga', 5],
  ['iso-8859-10', northern, 'ISO 8859-10', north, 5],
  ['ibm861', northern, 'DOS 861', 'is', 4],
  ['ibm865', northern, 'DOS 865', 'da sv', 4],
  ['x-mac-icelandic', northern, 'Mac OS', 'is', 4],
  ['windows-1250', central, 'Windows-1250', `${centre} ro`, 0],
  ['iso-8859-2', central, 'ISO 8859-2', `${centre} ro`, 1],
  ['ibm852', central, 'DOS 852', `${centre} ro`, 1],
  ['x-mac-ce', central, 'Mac OS', 'pl cs sk hu hr sl', 3],
  ['x-mac-croatian', central, 'Mac OS', 'hr sl', 4],
  ['iso-8859-16', romanian, 'ISO 8859-16', 'ro', 4],
  ['x-mac-romanian', romanian, 'Mac OS', 'ro', 5],
  ['windows-1251', cyrillic, 'Windows-1251', 'ru uk bg sr be mk', 0],
  ['koi8-r', cyrillic, 'KOI8-R', 'ru', 1],
  ['koi8-u', cyrillic, 'KOI8-U', 'uk', 2],
  ['ibm866', cyrillic, 'DOS 866', 'ru bg be', 1],
  ['ibm855', cyrillic, 'DOS 855', 'ru bg sr be mk', 3],
  ['iso-8859-5', cyrillic, 'ISO 8859-5', 'ru bg sr uk be mk', 2],
  ['x-mac-cyrillic', cyrillic, 'Mac OS', 'ru uk bg sr be mk', 2],
  ['windows-1253', greek, 'Windows-1253', 'el', 0],
  ['iso-8859-7', greek, 'ISO 8859-7', 'el', 1],
  ['ibm737', greek, 'DOS 737', 'el', 1],
  ['ibm869', greek, 'DOS 869', 'el', 3],
  ['x-mac-greek', greek, 'Mac OS', 'el', 3],
  ['windows-1254', turkish, 'Windows-1254', 'tr', 0],
  ['ibm857', turkish, 'DOS 857', 'tr', 1],
  ['x-mac-turkish', turkish, 'Mac OS', 'tr', 3],
  ['windows-1255', hebrew, 'Windows-1255', 'he', 0],
  ['iso-8859-8', hebrew, 'ISO 8859-8', 'he', 1],
  ['ibm862', hebrew, 'DOS 862', 'he', 1],
  ['windows-1256', arabic, 'Windows-1256', 'ar fa', 0],
  ['iso-8859-6', arabic, 'ISO 8859-6', 'ar', 1],
  ['windows-1257', baltic, 'Windows-1257', 'lt lv et', 0],
  ['iso-8859-13', baltic, 'ISO 8859-13', 'lt lv et', 1],
  ['iso-8859-4', baltic, 'ISO 8859-4', 'lt lv et', 3],
  ['ibm775', baltic, 'DOS 775', 'lt lv et', 1],
  ['windows-1258', vietnamese, 'Windows-1258', 'vi', 0],
  ['windows-874', thai, 'Windows-874', 'th', 0],
  ['shift_jis', japanese, 'Shift_JIS', 'ja', 0],
  ['euc-jp', japanese, 'EUC-JP', 'ja', 1],
  ['iso-2022-jp', japanese, 'ISO-2022-JP', '', 0],
  ['gb18030', chinese, 'GB18030', 'zh', 0],
  ['big5', chinese, 'Big5', 'zh-hant', 0],
  ['euc-kr', korean, 'EUC-KR', 'ko', 0],
] as const satisfies readonly Row[]

export type Encoding = (typeof table)[number][0]

export const encodings = table.map(([encoding, region, name, languages, rarity]) => ({
  encoding,
  /** The languages for which it is guessed. */
  languages: languages.split(' ').filter(Boolean),
  rarity,
  region,
  name,
}))

/** The name of an encoding for the user. */
export const describeEncoding = ({ region, name }: (typeof encodings)[number]) =>
  t('{region} ({name})', { region: t(region), name })
