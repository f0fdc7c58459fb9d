import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

/** What the documents name and the repository has not: links, paths, npm commands, titles of tests. */
export function findBrokenReferences(): string[] {
  const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
  const titles = readTestTitles()
  return ['README.md', ...findSourceFiles('docs/**/*.md')].flatMap((document) => {
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
    .map((path) => `${document} links to ${path}, which is not there`)
}

/** Paths in backticks that begin with a folder of ours. */
function findBrokenPaths(document: string, text: string): string[] {
  const named = text.matchAll(/`((?:contract|web|server|tests|scripts|bench|docs|runtime)\/[\w./-]*)`/g)
  return Array.from(named, ([, path]) => path ?? '')
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${document} names ${path}, which is not there`)
}

function findUnknownCommands(document: string, text: string, scripts: string[]): string[] {
  const named = text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)
  return Array.from(named, ([, script, short]) => script ?? short ?? '')
    .filter((script) => !scripts.includes(script))
    .map((script) => `${document} names the command "${script}", which package.json has not`)
}

/** Where the titles stand that the map from the specification to its tests names no file for. */
const defaultTestFile = 'tests/e2e/specification.spec.ts'

/** In that map the last column of a row holds titles in backticks, behind the path of the file that they stand in. */
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

/** A title that a test makes of a template stands for whatever may take the place of its holes. */
function matchesTitle(pattern: string, title: string): boolean {
  if (!pattern.includes('${')) return pattern === title
  const [first = '', ...rest] = pattern.split(/\$\{[^}]*\}/)
  return title.startsWith(first) && rest.every((part) => title.includes(part))
}

/** The titles of each file of tests. */
function readTestTitles(): Map<string, string[]> {
  const files = [
    ...findSourceFiles('{contract,web,server,tests}/**/*.{test,spec}.{ts,tsx}'),
    ...findSourceFiles('tests/contracts/*suite.ts'),
  ]
  return new Map(files.map((file) => [file, parseTitles(readFileSync(join(root, file), 'utf8'))]))
}

function parseTitles(text: string): string[] {
  const titles = text.matchAll(/\b(?:test|it)(?:\.each\([\s\S]*?\]\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)
  return Array.from(titles, ([, , title]) => (title ?? '').replaceAll("\\'", "'"))
}
