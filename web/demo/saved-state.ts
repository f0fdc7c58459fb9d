import type { Session } from '../backends/memory/accounts.ts'
import type { ServiceState } from '../backends/memory/service.ts'
import { tabStorage } from '../lib/stored-state.ts'

/** What a reload of the tab keeps. */
export interface SavedState {
  state: ServiceState
  /** The visitor's. */
  session?: Session | undefined
}

/** The key in session storage, which ends with the tab. */
const storageKey = 'demo'

export function readSavedState(): SavedState | null {
  const text = tabStorage.read(storageKey)
  return text === null ? null : (decode(text) as SavedState)
}

/** Without room for it, a reload starts anew. */
export const saveState = (saved: SavedState): void => tabStorage.write(storageKey, encode(saved))

/** A value in JSON: a primitive, or the index of an object, which several may refer to. */
type Encoded = { is: unknown } | { at: number }

type EncodedObject = { map: Encoded[] } | { list: Encoded[] } | { fields: Record<string, Encoded> }

/** Returns plain objects, arrays and maps as JSON. */
function encode(root: object): string {
  const objects: EncodedObject[] = []
  const indices = new Map<object, number>()

  function encodeValue(value: unknown): Encoded {
    if (typeof value !== 'object' || value === null) return { is: value }
    const known = indices.get(value)
    if (known !== undefined) return { at: known }
    const at = objects.push({ list: [] }) - 1
    indices.set(value, at)
    if (value instanceof Map) objects[at] = { map: [...value].flat(1).map(encodeValue) }
    else if (Array.isArray(value)) objects[at] = { list: value.map(encodeValue) }
    else objects[at] = { fields: mapValues(value, encodeValue) }
    return { at }
  }

  encodeValue(root)
  return JSON.stringify(objects)
}

function decode(text: string): unknown {
  const encoded: EncodedObject[] = JSON.parse(text)
  const objects = encoded.map((each) => ('map' in each ? new Map() : 'list' in each ? [] : {}))
  const decodeValue = (value: Encoded) => ('at' in value ? objects[value.at] : value.is)
  for (const [i, each] of encoded.entries()) {
    const object = objects[i]
    if ('fields' in each) Object.assign(object ?? {}, mapValues(each.fields, decodeValue))
    else if (Array.isArray(object) && 'list' in each) object.push(...each.list.map(decodeValue))
    else if (object instanceof Map && 'map' in each)
      for (let j = 0; j < each.map.length; j += 2)
        object.set(decodeValue(each.map[j] as Encoded), decodeValue(each.map[j + 1] as Encoded))
  }
  return objects[0]
}

const mapValues = <Value, Result>(record: object, convert: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]))
