import { Parser } from 'saxen'

/** What `onClose` returns to stop. */
export const stop = Symbol('stop')

export type Attributes = Record<string, string | undefined>

/**
 * Calls a function for each element whose local name it has, or one for all. `onClose` is called for all, with the text since the
 * last tag, and may stop it; `onText` gets any text. Throws if the XML is broken.
 */
export function walkXml(
  xml: string,
  onOpen: Record<string, (attributes: Attributes) => unknown> | ((attributes: Attributes) => unknown),
  onClose: (name: string, text: string) => unknown = () => {},
  onText: (text: string) => unknown = () => {},
) {
  if (xml === '') return
  let warningCount = 0
  const isForAll = typeof onOpen === 'function'
  const handlers = new Map(isForAll ? [] : Object.entries(onOpen))
  const findHandler = (name: string) => (isForAll ? onOpen : handlers.get(toLocalName(name)))
  let text = ''
  const addText = (part: string) => {
    text += part
    onText(part)
  }
  const parser: Parser = new Parser()
    .on('openTag', (name, getAttributes) => {
      text = ''
      findHandler(name)?.(getAttributes())
    })
    .on('text', (part, decode) => addText(decode(decodeAstral(part))))
    .on('cdata', addText)
    .on('closeTag', (name) => onClose(toLocalName(name), text) === stop && parser.stop())
    .on('error', (cause) => {
      throw cause
    })
    .on('warn', (cause) => {
      if (++warningCount > maxWarnings) throw cause
    })
  parser.parse(xml)
}

/** The limit on faults in attributes: each takes long, and files of programs have none. */
const maxWarnings = 100

/** saxen decodes a reference to a character above U+FFFF as another character. */
const decodeAstral = (text: string) =>
  text.replace(/&#(?:x0*([\da-f]{5})|(\d{6}));/gi, (_, hex: string, decimal: string) =>
    String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1)

/** saxen returns attributes as they are in the file. */
export const decodeAttribute = (text: string) =>
  text.replace(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, name: 'lt', decimal, hex) => {
      if (name) return entities[name] ?? entity
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    },
  )

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
