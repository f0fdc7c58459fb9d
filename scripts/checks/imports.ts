import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../terminal.ts'

interface Rule {
  /** The files it speaks of, as the beginning of their path. */
  from: string
  /** What they must not import, as the beginning of a path. */
  not: string[]
  instead: string
  /** Files that may, because wiring is what they are for. */
  except?: RegExp
}

/** The directions of docs/architecture.md. */
const rules: Rule[] = [
  {
    from: 'contract/',
    not: ['web/', 'server/', 'tests/', 'scripts/'],
    instead: 'the contract imports nothing of ours',
  },
  {
    from: 'web/',
    not: ['server/', 'scripts/', 'tests/'],
    instead: 'put what both sides agree on into contract/',
  },
  {
    from: 'server/',
    not: ['web/', 'scripts/', 'tests/'],
    instead: 'put what both sides agree on into contract/',
  },
  {
    from: 'web/',
    not: ['web/backends/self-hosted/', 'web/backends/firebase/'],
    instead: 'ask for a port of web/backends/ports.ts and have it handed in',
    except: /^web\/(main\.tsx|backends\/)/,
  },
  {
    from: 'web/backends/',
    not: ['web/records/', 'web/auth/', 'web/ui/'],
    instead: 'services know no screens',
  },
  {
    from: 'web/backends/self-hosted/',
    not: ['web/backends/firebase/'],
    instead: 'adapters do not know each other',
  },
  {
    from: 'web/backends/firebase/',
    not: ['web/backends/self-hosted/'],
    instead: 'adapters do not know each other',
  },
  {
    from: 'web/ui/',
    not: ['web/records/', 'web/auth/', 'web/backends/', 'contract/'],
    instead: 'ui knows nothing of employees',
  },
  { from: 'web/auth/', not: ['web/records/'], instead: 'the account screens know nothing of records' },
  {
    from: 'server/',
    not: ['server/storage/sqlite/', 'server/storage/postgres/'],
    instead: 'ask for the port of server/storage/storage.ts and have it handed in',
    except: /^server\/(main|cli)\.ts$|^server\/storage\/|^server\/commands\//,
  },
  {
    from: 'server/http/',
    not: ['server/records/', 'server/auth/', 'server/commands/'],
    instead: 'http knows nothing of what it carries',
  },
  ...['server/cli.ts', 'server/commands/', 'server/storage/'].map((from) => ({
    from,
    not: ['server/http/'],
    instead: 'nothing here speaks HTTP; what is refused is thrown as a Refusal of server/app-error.ts',
  })),
]

/** Every import that points the wrong way. Tests may import what they test from anywhere. */
export function findWrongImports(): string[] {
  return sources('{contract,web,server}/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => importsOf(file).flatMap((target) => judge(file, target)))
}

function judge(file: string, target: string): string[] {
  return rules
    .filter(({ from, not, except }) => {
      const speaksOfIt = file.startsWith(from) && !except?.test(file)
      return speaksOfIt && not.some((path) => target.startsWith(path))
    })
    .map(({ instead }) => `${file} imports ${target}: ${instead}`)
}

/** The files of ours that a file imports, as paths from the repository's root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = text.matchAll(
    /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]|new URL\(\s*['"](\.{1,2}\/[^'"]+)['"]/g,
  )
  return Array.from(specifiers, ([, imported, url]) => normalize(join(dirname(file), imported ?? url ?? '')))
}

export function sources(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()
}
