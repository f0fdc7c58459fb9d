import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

const labelPattern =
  /^(Website name|Website URL|Application|Account name|Login name|Login|Password|Comment|Name|Text): ?(.*)$/
const ruler = '---'

/** Reads the text file of Kaspersky Password Manager; null for other text. */
export function parseKasperskyText(text: string): ProgramSheet | null {
  if (
    !/^\ufeff?(Websites|Applications|Other Accounts|Notes)\r?\n(\r?\n)*(Website name|Application|Account name|Name): /.test(
      text,
    )
  )
    return null
  const items: VaultItem[] = []
  let values: Record<string, string> = {}
  let label = ''
  let hasLinesOfSecrets = false
  for (const line of text.split(/\r\n?|\n/)) {
    if (line === ruler) {
      if (Object.keys(values).length > 0) items.push(toItem(values))
      values = {}
      label = ''
      continue
    }
    const [, found, value = ''] = labelPattern.exec(line) ?? []
    // Below the last label of an entry may stand lines of what it describes.
    if (found && label !== 'Comment' && label !== 'Text') {
      label = found
      values[label] = value
    } else if (label === 'Password' && line.trim() !== '') hasLinesOfSecrets = true
  }
  if (Object.keys(values).length > 0) items.push(toItem(values))
  return { ...toSheet('Kaspersky', items), hasLinesOfSecrets }
}

const toItem = (values: Record<string, string>): VaultItem => ({
  type: 'Text' in values ? 'note' : 'login',
  name: values['Website name'] ?? values.Application ?? values['Account name'] ?? values.Name,
  username: values.Login,
  password: values.Password,
})
