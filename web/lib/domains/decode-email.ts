import { decode } from 'punycode/punycode.es6.js'
import { toAsciiEmail } from '../../../contract/employees.ts'

/** The scripts of living languages (UAX 31, table 5), in groups that are written together. */
const scripts = `
  Arab|Armn|Beng|Cyrl|Deva|Ethi|Geor|Grek|Gujr|Guru|Hebr|Knda|Khmr|Laoo|Latn|Mlym|Mymr|Orya|Sinh|Taml|Telu|Thaa|Thai|Tibt
  |Hani,Hira,Kana|Hani,Hang|Hani,Bopo`

const toClass = (group: string) =>
  `[0-9-${group
    .split(',')
    .map((script) => `\\p{scx=${script.trim()}}`)
    .join('')}]+`

const oneScript = new RegExp(`^(?:${scripts.split('|').map(toClass).join('|')})$`, 'u')

/** Decodes the label of a domain that is stored as `xn--…`. Returns '' if it can't. */
export function decodeLabel(label: string): string {
  try {
    return decode(label.slice('xn--'.length).toLowerCase())
  } catch {
    return ''
  }
}

/** Letters of several scripts can look like those of one. */
function decodeIfOneScript(label: string): string {
  const readable = decodeLabel(label)
  return oneScript.test(readable) ? readable : label
}

/** Writes the labels of a domain that are stored as `xn--…` with their letters, if these are of one script. */
export function decodeEmail(email: string): string {
  const readable = email.replace(/(?<=[.@])xn--[^.@]+(?=[^@]*$)/gi, decodeIfOneScript)
  return toAsciiEmail(readable).toLowerCase() === email.toLowerCase() ? readable : email
}
