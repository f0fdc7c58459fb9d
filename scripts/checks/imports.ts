import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../terminal.ts'

interface ImportRule {
  /** The files it speaks of, as the beginning of their path. */
  from: string
  /** What they must not import, as the beginning of a path. */
  forbidden: string[]
  advice: string
  /** Files that may, because wiring is what they are for. */
  exceptions?: RegExp
}

/** The directions of docs/architecture.md. */
const rules: ImportRule[] = [
  {
    from: 'contract/',
    forbidden: ['web/', 'server/', 'tests/', 'scripts/'],
    advice: 'the contract imports nothing of ours',
  },
  {
    from: 'web/',
    forbidden: ['server/', 'scripts/', 'tests/'],
    advice: 'put what both sides agree on into contract/',
  },
  {
    from: 'server/',
    forbidden: ['web/', 'scripts/', 'tests/'],
    advice: 'put what both sides agree on into contract/',
  },
  {
    from: 'web/',
    forbidden: ['web/backends/self-hosted/', 'web/backends/firebase/'],
    advice: 'ask for a port of web/backends/ports.ts and have it handed in',
    exceptions: /^web\/(main\.tsx|backends\/)/,
  },
  {
    from: 'web/backends/',
    forbidden: ['web/records/', 'web/auth/', 'web/ui/'],
    advice: 'services know no screens',
  },
  {
    from: 'web/backends/self-hosted/',
    forbidden: ['web/backends/firebase/'],
    advice: 'adapters do not know each other',
  },
  {
    from: 'web/backends/firebase/',
    forbidden: ['web/backends/self-hosted/'],
    advice: 'adapters do not know each other',
  },
  {
    from: 'web/ui/',
    forbidden: ['web/records/', 'web/auth/', 'web/backends/', 'contract/'],
    advice: 'ui knows nothing of employees',
  },
  { from: 'web/auth/', forbidden: ['web/records/'], advice: 'the account screens know nothing of records' },
  {
    from: 'server/',
    forbidden: ['server/storage/sqlite/', 'server/storage/postgres/'],
    advice: 'ask for the port of server/storage/storage.ts and have it handed in',
    exceptions: /^server\/(main|cli)\.ts$|^server\/storage\/|^server\/commands\//,
  },
  {
    from: 'server/http/',
    forbidden: ['server/records/', 'server/auth/', 'server/commands/'],
    advice: 'http knows nothing of what it carries',
  },
  ...['server/cli.ts', 'server/commands/', 'server/storage/'].map((from) => ({
    from,
    forbidden: ['server/http/'],
    advice: 'this code does not depend on HTTP: throw an AppError (server/app-error.ts)',
  })),
]

/** Every import that points the wrong way. Tests may import what they test from anywhere. */
export function findForbiddenImports(): string[] {
  return findSourceFiles('{contract,web,server}/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => readImports(file).flatMap((target) => checkImport(file, target)))
}

function checkImport(file: string, target: string): string[] {
  return rules
    .filter(({ from, forbidden, exceptions }) => {
      const applies = file.startsWith(from) && !exceptions?.test(file)
      return applies && forbidden.some((path) => target.startsWith(path))
    })
    .map(({ advice }) => `${file} imports ${target}: ${advice}`)
}

/** The files of ours that a file imports, as paths from the repository's root. */
function readImports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = text.matchAll(
    /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]|new URL\(\s*['"](\.{1,2}\/[^'"]+)['"]/g,
  )
  return Array.from(specifiers, ([, imported, url]) => normalize(join(dirname(file), imported ?? url ?? '')))
}

export function findSourceFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()
}
