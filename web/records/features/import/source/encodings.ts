interface EncodingInfo {
  /** Its name for the user. */
  label: string
  /** The languages that are written in it. Those of Unicode are not guessed. */
  languages?: string
  /** What chardet takes it for besides, in lower case: the standard that programs on Windows extend. */
  family?: string
}

const western = 'ca da de es eu fi fr ga gl id is it ms nb nl nn no pt sv'

/** By their label in the Encoding Standard. */
export const encodings = {
  'utf-8': { label: 'Unicode (UTF-8)' },
  'utf-16le': { label: 'Unicode (UTF-16 LE)' },
  'utf-16be': { label: 'Unicode (UTF-16 BE)' },
  'windows-1252': { label: 'Western (Windows-1252)', languages: western, family: 'iso-8859-1' },
  macintosh: { label: 'Western (Mac OS Roman)', languages: western, family: 'iso-8859-1' },
  'windows-1250': {
    label: 'Central European (Windows-1250)',
    languages: 'bs cs hr hu pl ro sk sl sq sr',
    family: 'iso-8859-2',
  },
  'windows-1251': {
    label: 'Cyrillic (Windows-1251)',
    languages: 'be bg kk mk ru sr uk',
    family: 'iso-8859-5',
  },
  'windows-1253': { label: 'Greek (Windows-1253)', languages: 'el', family: 'iso-8859-7' },
  'windows-1254': { label: 'Turkish (Windows-1254)', languages: 'az tr', family: 'iso-8859-9' },
  'windows-1255': { label: 'Hebrew (Windows-1255)', languages: 'he yi', family: 'iso-8859-8' },
  'windows-1256': { label: 'Arabic (Windows-1256)', languages: 'ar fa ur', family: 'iso-8859-6' },
  'windows-1257': { label: 'Baltic (Windows-1257)', languages: 'et lt lv' },
  'windows-1258': { label: 'Vietnamese (Windows-1258)', languages: 'vi' },
  shift_jis: { label: 'Japanese (Shift_JIS)', languages: 'ja' },
  'euc-jp': { label: 'Japanese (EUC-JP)', languages: 'ja' },
  gb18030: { label: 'Chinese (GB18030)', languages: 'zh' },
  big5: { label: 'Chinese (Big5)', languages: 'zh-hant' },
  'euc-kr': { label: 'Korean (EUC-KR)', languages: 'ko' },
} as const satisfies Record<string, EncodingInfo>

export type Encoding = keyof typeof encodings

/** The encodings with what is known of them. */
export const encodingList = Object.entries(encodings) as [Encoding, EncodingInfo][]
