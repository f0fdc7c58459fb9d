import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

/** What a budget counts, for example the lines of each file by its path. */
type Counts = [what: string, count: number][]

const total = (counts: Counts) => counts.reduce((sum, [, count]) => sum + count, 0)
const highest = (counts: Counts) => Math.max(...counts.map(([, count]) => count))
const number = (counts: Counts) => counts.length

type Budget = [name: string, limit: number, sum: (counts: Counts) => number, counts: Counts]

/** Limits of what a reader meets at once. No total is limited: that makes code dense, not short. */
function measureBudgets(): Budget[] {
  const product = readFiles('{contract,web,server}/**/*.{ts,tsx}', (file) => !isTest(file))
  const tests = readFiles('{contract,web,server,scripts,tests}/**/*.{ts,tsx}', isTest)
  const tools = readFiles('{scripts,bench}/**/*.ts', (file) => !isTest(file))
  const functions = product.flatMap(({ file, text }) => measureFunctions(file, text))
  return [
    ['product files that name eName', 3, number, countMatches(product, /\beName\b/g)],
    ['test files that name eName', 26, number, countMatches(tests, /\beName\b/g)],
    ['lines in a style sheet', 300, highest, countLines(readFiles('web/**/*.css'))],
    ['source files directly in a folder', 15, highest, countByFolder([...product, ...tools])],
    ['lines in a function', 90, highest, functions],
    ['functions of more than 60 lines', 20, number, functions.filter(([, lines]) => lines > 60)],
    ['"as unknown as" in product code', 5, total, countMatches(product, /\bas unknown as\b/g)],
  ]
}

/** Prints each budget. Returns those that are exceeded, with what counts most. */
export function findExceededBudgets(): string[] {
  return measureBudgets().flatMap(([name, limit, sum, counts]) => {
    console.error(`  ${sum(counts)} of ${limit}: ${name}`)
    if (sum(counts) <= limit) return []
    const most = counts.toSorted(([, a], [, b]) => b - a).slice(0, 5)
    const described = most.map(([what, count]) => `${what} (${count})`).join(', ')
    return [`${sum(counts)} ${name}, at most ${limit}. Most: ${described}`]
  })
}

interface SourceFile {
  file: string
  text: string
}

function readFiles(pattern: string, isWanted: (file: string) => boolean = () => true): SourceFile[] {
  return findSourceFiles(pattern)
    .filter((file) => isWanted(file) && !file.endsWith('.d.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

function isTest(file: string): boolean {
  return file.startsWith('tests/') || /\.test\.tsx?$/.test(file)
}

function countLines(files: SourceFile[]): Counts {
  return files.map(({ file, text }) => [file, text.split('\n').length - 1])
}

/** Leaves out files without a match. */
function countMatches(files: SourceFile[], pattern: RegExp): Counts {
  return files
    .map(({ file, text }): Counts[number] => [file, text.match(pattern)?.length ?? 0])
    .filter(([, count]) => count > 0)
}

function countByFolder(files: SourceFile[]): Counts {
  const byFolder = Object.groupBy(files, ({ file }) => dirname(file))
  return Object.entries(byFolder).map(([folder, inFolder = []]) => [folder, inFolder.length])
}

/** The lines of each function, arrow function and method, also of those inside of others. */
export function measureFunctions(file: string, text: string): Counts {
  const counts: Counts = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const measure = ({ start, end }: { start: number; end: number }) => {
    counts.push([`${file}:${lineAt(start)}`, lineAt(end) - lineAt(start) + 1])
  }
  const visitor = new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  })
  visitor.visit(parseSync(file, text).program)
  return counts
}
