import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

const maxWords = 14_000

/** One problem if README.md and docs/ have too many words; code blocks and tables count, the borders of tables do not. */
export function findTooManyWords(): string[] {
  const counts = ['README.md', ...findSourceFiles('docs/**/*.md')].map((file) => {
    const words = readFileSync(join(root, file), 'utf8').match(/\S*[\p{L}\p{N}]\S*/gu) ?? []
    return { file, words: words.length }
  })
  const sum = counts.reduce((total, { words }) => total + words, 0)
  if (sum <= maxWords) return []
  const longest = counts.sort((a, b) => b.words - a.words).slice(0, 3)
  const names = longest.map(({ file, words }) => `${file} (${words})`).join(', ')
  return [`README.md and docs/ have ${sum} words; at most ${maxWords}. The longest: ${names}`]
}
