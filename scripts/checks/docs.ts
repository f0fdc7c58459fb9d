import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

/** Finds links, paths, npm commands and test titles in the documents that do not exist. */
export function findBrokenReferences(): string[] {
  const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
  const titles = readTestTitles()
  return findSourceFiles('{*.md,deploy/*.md,docs/**/*.md}').flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [
      ...findBrokenLinks(document, text),
      ...findBrokenPaths(document, text),
      ...findUnknownCommands(document, text, scripts),
      ...(document === 'docs/specification.md' ? findUnknownTests(document, text, titles) : []),
    ]
  })
}

function findBrokenLinks(document: string, text: string): string[] {
  return Array.from(text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g), ([, path]) => path ?? '')
    .filter((path) => !existsSync(join(root, dirname(document), path)))
    .map((path) => `${document} links to ${path}, which does not exist`)
}

/** Paths in backticks that begin with a folder of the repository. */
function findBrokenPaths(document: string, text: string): string[] {
  const named = text.matchAll(
    /`((?:bin|contract|deploy|web|server|tests|scripts|bench|docs|runtime)\/[\w./-]*)`/g,
  )
  return Array.from(named, ([, path]) => path ?? '')
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${document} names ${path}, which does not exist`)
}

function findUnknownCommands(document: string, text: string, scripts: string[]): string[] {
  const named = text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)
  return Array.from(named, ([, script, short]) => script ?? short ?? '')
    .filter((script) => !scripts.includes(script))
    .map((script) => `${document} names the command "${script}", which package.json does not have`)
}

/** The file of titles in docs/specification.md without a path before them. */
const defaultTestFile = 'tests/e2e/specification.spec.ts'

/** The last column of each table row has test titles in backticks, after the path of their file. */
function findUnknownTests(document: string, text: string, titles: Map<string, string[]>): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.flatMap((row) => {
    const problems: string[] = []
    let file = defaultTestFile
    for (const [, named = ''] of (row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)) {
      if (titles.has(named)) file = named
      else if (!titles.get(file)?.some((pattern) => matchesTitle(pattern, named)))
        problems.push(`${document} names the test "${named}", which is not in ${file}`)
    }
    return problems
  })
}

/** Whether a title can come from a template literal. */
function matchesTitle(pattern: string, title: string): boolean {
  if (!pattern.includes('${')) return pattern === title
  const [first = '', ...rest] = pattern.split(/\$\{[^}]*\}/)
  return title.startsWith(first) && rest.every((part) => title.includes(part))
}

/** The test titles by file. */
function readTestTitles(): Map<string, string[]> {
  const files = [
    ...findSourceFiles('{contract,web,server,tests}/**/*.{test,spec}.{ts,tsx}'),
    ...findSourceFiles('tests/contracts/*{suite,model}.ts'),
  ]
  return new Map(files.map((file) => [file, parseTitles(readFileSync(join(root, file), 'utf8'))]))
}

function parseTitles(text: string): string[] {
  const titles = text.matchAll(
    /\b(?:test|it)(?:\.each\((?:\w+|[\s\S]*?\])\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g,
  )
  return Array.from(titles, ([, , title]) => (title ?? '').replaceAll("\\'", "'"))
}
