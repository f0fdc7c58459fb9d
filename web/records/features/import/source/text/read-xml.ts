import { type Attributes, decodeAttribute, walkXml } from '../archive/walk-xml.ts'
import { isHeader, isNameHeader } from '../detect-columns.ts'
import type { Sheet } from '../sheet.ts'
import { readRecords } from './read-json.ts'

type Value = string | Fields | Value[]
interface Fields {
  [name: string]: Value
}

/** Reads XML of whatever program, by what would be the same in JSON. Null for other text, and for XML without a list. */
export function readXml(text: string): Sheet | null {
  if (!/^\s*<(\?xml\s|!doctype\s|[a-z][\w:.-]{0,60}[\s/>])/i.test(text)) return null
  try {
    return readRecords(/<plist[\s>]/.test(text.slice(0, 2_000)) ? toProperties(text) : toRecords(text))
  } catch {
    return null
  }
}

/** An element is a text, or the values of its attributes and of the elements in it by their names. */
function toRecords(xml: string): Value {
  const root = makeFields()
  const open: Fields[] = [root]
  /** The names of the attributes among the fields of an element. */
  const attributes = new WeakMap<Fields, Set<string>>()
  const addAttributes = (values: Attributes) => {
    const fields = makeFields()
    for (const [name, value = ''] of Object.entries(values))
      if (!name.startsWith('xmlns')) addValue(fields, name, decodeAttribute(value))
    attributes.set(fields, new Set(Object.keys(fields)))
    open.push(fields)
  }
  walkXml(xml, addAttributes, (name, text) => {
    const fields = open.length > 1 ? (open.pop() ?? root) : root
    const parent = open.at(-1) ?? root
    const label = findLabel(name, fields)
    if (label !== undefined) {
      // The name of a table stands on its rows too.
      for (const other of attributes.get(parent) ?? [])
        if (isOfTable(other, name, label)) {
          attributes.get(parent)?.delete(other)
          delete parent[other]
        }
      addValue(parent, label, text)
      return
    }
    const isLeaf = Object.keys(fields).length === 0
    if (!isLeaf && text.trim() !== '') addValue(fields, 'text', text)
    addValue(parent, name, isLeaf ? text : fields)
  })
  return root
}

/** The values of a property list of Apple, whose names are elements before them. */
function toProperties(xml: string): Value {
  const root: Value[] = []
  const open: (Fields | Value[])[] = [root]
  const keys: string[] = ['']
  const add = (value: Value) => {
    const parent = open.at(-1) ?? root
    if (Array.isArray(parent)) parent.push(value)
    else parent[keys.at(-1) ?? ''] = value
  }
  const begin = (value: Fields | Value[]) => {
    add(value)
    open.push(value)
    keys.push('')
  }
  walkXml(xml, { dict: () => begin(makeFields()), array: () => begin([]) }, (name, text) => {
    if (name === 'key') keys[keys.length - 1] = text
    else if (name === 'dict' || name === 'array') {
      open.pop()
      keys.pop()
    } else if (name === 'true' || name === 'false') add(name)
    else if (name !== 'plist') add(text)
  })
  return root[0] ?? ''
}

/** Elements that are called by what they are, as databases write them. */
const fieldElement = /^(field|column|col|property|prop|attribute|attr|string|str|s)$/i

/** The name of a field that its only attribute tells: `<field name="email">`, as of MySQL, phpMyAdmin and PowerShell. */
function findLabel(element: string, fields: Fields): string | undefined {
  const [[key = '', label] = [], ...more] = Object.entries(fields)
  if (more.length > 0 || typeof label !== 'string' || !/^(name|n|key|id)$/i.test(key)) return undefined
  return fieldElement.test(element) || isHeader(label) ? label : undefined
}

/** Whether an attribute of an element names its table, and not the person whose fields are in it. */
const isOfTable = (attribute: string, element: string, label: string) =>
  isNameHeader(attribute) && (isNameHeader(label) || /^column$/i.test(element))

/** Without the names that every object has. */
const makeFields = (): Fields => Object.create(null)

function addValue(fields: Fields, name: string, value: Value) {
  const present = fields[name]
  if (present === undefined) fields[name] = value
  else if (Array.isArray(present)) present.push(value)
  else fields[name] = [present, value]
}
