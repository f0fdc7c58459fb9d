import { Parser } from 'saxen'

/** What `onClose` returns to stop. */
export const stop = Symbol('stop')

export type Attributes = Record<string, string | undefined>

/**
 * Calls a function for each element whose local name it has. `onText` and `onClose` are called for all; `onClose` may stop it.
 * Throws if the XML is broken.
 */
export function walkXml(
  xml: string,
  onOpen: Record<string, (attributes: Attributes) => void>,
  onText?: (text: string) => void,
  onClose?: (name: string) => unknown,
) {
  if (xml === '') return
  const handlers = new Map(Object.entries(onOpen))
  const parser = new Parser()
    .on('openTag', (name, getAttributes) => handlers.get(toLocalName(name))?.(getAttributes()))
    .on('error', (cause) => {
      throw cause
    })
    .on('warn', () => {})
  if (onText) parser.on('text', (text, decode) => onText(decode(decodeAstral(text)))).on('cdata', onText)
  if (onClose) parser.on('closeTag', (name) => onClose(toLocalName(name)) === stop && parser.stop())
  parser.parse(xml)
}

/** saxen decodes a reference to a character above U+FFFF as another character. */
const decodeAstral = (text: string) =>
  text.replace(/&#(?:x0*([\da-f]{5})|(\d{6}));/gi, (_, hex: string, decimal: string) =>
    String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1)

/** saxen returns attributes as they are in the file. */
export const decodeAttribute = (text: string) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: 'lt') => entities[name])

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
