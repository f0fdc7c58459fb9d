import { type Attributes, decodeAttribute, walkXml } from '../archive/walk-xml.ts'
import type { Sheet } from '../sheet.ts'
import { readRecords } from './read-json.ts'

type Value = string | Fields | Value[]
interface Fields {
  [name: string]: Value
}

/** Reads XML of whatever program, by what would be the same in JSON. Null for other text, and for XML without a list. */
export function readXml(text: string): Sheet | null {
  if (!/^\s*<(\?xml\s|[a-z][\w:.-]{0,60}[\s/>])/i.test(text)) return null
  try {
    return readRecords(toRecords(text))
  } catch {
    return null
  }
}

/** An element is a text, or the values of its attributes and of the elements in it by their names. */
function toRecords(xml: string): Value {
  const root = makeFields()
  const open: Fields[] = [root]
  const addAttributes = (attributes: Attributes) => {
    const fields = makeFields()
    for (const [name, value = ''] of Object.entries(attributes))
      if (!name.startsWith('xmlns')) addValue(fields, name, decodeAttribute(value))
    open.push(fields)
  }
  walkXml(xml, addAttributes, (name, text) => {
    const fields = open.length > 1 ? (open.pop() ?? root) : root
    const isLeaf = Object.keys(fields).length === 0
    if (!isLeaf && text.trim() !== '') addValue(fields, 'text', text)
    addValue(open.at(-1) ?? root, name, isLeaf ? text : fields)
  })
  return root
}

/** Without the names that every object has. */
const makeFields = (): Fields => Object.create(null)

function addValue(fields: Fields, name: string, value: Value) {
  const present = fields[name]
  if (present === undefined) fields[name] = value
  else if (Array.isArray(present)) present.push(value)
  else fields[name] = [present, value]
}
