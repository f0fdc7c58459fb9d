import { msg } from '../../../../language/translate.ts'

const western = 'ca da de es eu fi fr ga gl id is it ms nb nl nn no pt sv'

/**
 * The encodings: label in the Encoding Standard, name for the user, and for those that are guessed the languages that use it and
 * the ISO encoding that it extends, which chardet may report instead.
 */
export const encodings = [
  ['utf-8', msg('Unicode (UTF-8)'), '', ''],
  ['utf-16le', msg('Unicode (UTF-16 LE)'), '', ''],
  ['utf-16be', msg('Unicode (UTF-16 BE)'), '', ''],
  ['windows-1252', msg('Western (Windows-1252)'), western, 'iso-8859-1'],
  ['macintosh', msg('Western (Mac OS Roman)'), western, 'iso-8859-1'],
  ['windows-1250', msg('Central European (Windows-1250)'), 'bs cs hr hu pl ro sk sl sq sr', 'iso-8859-2'],
  ['windows-1251', msg('Cyrillic (Windows-1251)'), 'be bg kk mk ru sr uk', 'iso-8859-5'],
  ['windows-1253', msg('Greek (Windows-1253)'), 'el', 'iso-8859-7'],
  ['windows-1254', msg('Turkish (Windows-1254)'), 'az tr', 'iso-8859-9'],
  ['windows-1255', msg('Hebrew (Windows-1255)'), 'he yi', 'iso-8859-8'],
  ['windows-1256', msg('Arabic (Windows-1256)'), 'ar fa ur', 'iso-8859-6'],
  ['windows-1257', msg('Baltic (Windows-1257)'), 'et lt lv', ''],
  ['windows-1258', msg('Vietnamese (Windows-1258)'), 'vi', ''],
  ['shift_jis', msg('Japanese (Shift_JIS)'), 'ja', ''],
  ['euc-jp', msg('Japanese (EUC-JP)'), 'ja', ''],
  ['gb18030', msg('Chinese (GB18030)'), 'zh', ''],
  ['big5', msg('Chinese (Big5)'), 'zh-hant', ''],
  ['euc-kr', msg('Korean (EUC-KR)'), 'ko', ''],
] as const

export type Encoding = (typeof encodings)[number][0]
