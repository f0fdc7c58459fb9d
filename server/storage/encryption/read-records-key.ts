import { OperatorError } from '../../app-error.ts'
import { requireExpandedPath } from '../../expanded-path.ts'
import { explainUnreadable, maxSecretBytes, readAtMost } from '../files.ts'

/**
 * Reads a key of 32 bytes, as base64 or hexadecimal, from the variable `name` or from the file named by `<name>_FILE`.
 * Undefined if neither is set. Throws an `OperatorError` that names the variable and never contains the key.
 */
export function readRecordsKey(environment: NodeJS.ProcessEnv, name = 'RECORDS_KEY'): Uint8Array | undefined {
  const [text, file] = [environment[name]?.trim(), environment[`${name}_FILE`]?.trim()]
  if (text && file) throw new OperatorError(`${name} and ${name}_FILE are both set. Set only one of them.`)
  if (text) return parseKey(text, name)
  if (file) return parseKey(readKeyFile(file, `${name}_FILE`), `The file in ${name}_FILE`)
  return
}

function parseKey(text: string, source: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const bytes = Buffer.from(text, 'base64')
  if (/^[\w+/-]{43}=?$/.test(text) && bytes.length === 32) return bytes
  throw new OperatorError(
    `${source} must hold 32 bytes as base64 or hexadecimal. Create a key with "staffbook key new".`,
  )
}

function readKeyFile(file: string, name: string): string {
  try {
    return readAtMost(requireExpandedPath(name, file), maxSecretBytes).toString().trim()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(explainUnreadable(name, error), { cause: error })
  }
}
