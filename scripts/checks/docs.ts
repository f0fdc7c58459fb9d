import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../terminal.ts'
import { sources } from './imports.ts'

/** What the documents name and the repository has not: links, paths, npm commands, titles of tests. */
export function findBrokenNames(): string[] {
  const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
  const titles = testTitles()
  return ['README.md', ...sources('docs/**/*.md')].flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [
      ...brokenLinks(document, text),
      ...brokenPaths(document, text),
      ...unknownCommands(document, text, scripts),
      ...(document === 'docs/specification.md' ? unknownTests(document, text, titles) : []),
    ]
  })
}

function brokenLinks(document: string, text: string): string[] {
  return Array.from(text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g), ([, path]) => path ?? '')
    .filter((path) => !existsSync(join(root, dirname(document), path)))
    .map((path) => `${document} links to ${path}, which is not there`)
}

/** Paths in backticks that begin with a folder of ours. */
function brokenPaths(document: string, text: string): string[] {
  const named = text.matchAll(/`((?:contract|web|server|tests|scripts|bench|docs|runtime)\/[\w./-]*)`/g)
  return Array.from(named, ([, path]) => path ?? '')
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${document} names ${path}, which is not there`)
}

function unknownCommands(document: string, text: string, scripts: string[]): string[] {
  const named = text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)
  return Array.from(named, ([, script, short]) => script ?? short ?? '')
    .filter((script) => !scripts.includes(script))
    .map((script) => `${document} names the command "${script}", which package.json has not`)
}

/** Where the titles stand that the map from the specification to its tests names no file for. */
const usualPlace = 'tests/e2e/specification.spec.ts'

/** In that map the last column of a row holds titles in backticks, behind the path of the file that they stand in. */
function unknownTests(document: string, text: string, titles: Map<string, string[]>): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.flatMap((row) => {
    const wrong: string[] = []
    let file = usualPlace
    for (const [, named = ''] of (row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)) {
      if (titles.has(named)) file = named
      else if (!titles.get(file)?.some((pattern) => matches(pattern, named)))
        wrong.push(`${document} names the test "${named}", which is not in ${file}`)
    }
    return wrong
  })
}

/** A title that a test makes of a template stands for whatever may take the place of its holes. */
function matches(pattern: string, title: string): boolean {
  if (!pattern.includes('${')) return pattern === title
  const [first = '', ...rest] = pattern.split(/\$\{[^}]*\}/)
  return title.startsWith(first) && rest.every((part) => title.includes(part))
}

/** The titles of each file of tests. */
function testTitles(): Map<string, string[]> {
  const files = [
    ...sources('{contract,web,server,tests}/**/*.{test,spec}.ts'),
    ...sources('tests/contracts/*suite.ts'),
  ]
  return new Map(files.map((file) => [file, titlesIn(readFileSync(join(root, file), 'utf8'))]))
}

function titlesIn(text: string): string[] {
  const titles = text.matchAll(/\b(?:test|it)(?:\.each\([\s\S]*?\]\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)
  return Array.from(titles, ([, , title]) => (title ?? '').replaceAll("\\'", "'"))
}
