import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../terminal.ts'

interface ImportRule {
  /** The beginning of the paths of the importing files. */
  from: string
  /** The beginnings of the paths that they must not import. */
  forbidden: string[]
  advice: string
  /** Files that may import them, because they wire the parts together. */
  exceptions?: RegExp
  /** Whether the rule also applies to *.test.ts(x), which otherwise may import anything. */
  includesTests?: boolean
}

const shared = 'move what both sides need to contract/'

const adapters = ['self-hosted', 'firebase', 'memory'].map((name) => `web/backends/${name}/`)

/** The directions of docs/architecture.md. */
const rules: ImportRule[] = [
  {
    from: 'contract/',
    forbidden: ['web/', 'server/', 'tests/', 'scripts/'],
    advice: 'the contract imports only its own files',
  },
  { from: 'web/', forbidden: ['server/'], advice: shared, includesTests: true },
  { from: 'server/', forbidden: ['web/'], advice: shared, includesTests: true },
  ...['web/', 'server/'].map((from) => ({
    from,
    forbidden: ['scripts/', 'tests/'],
    advice: 'product code does not depend on scripts or test support',
  })),
  {
    from: 'web/',
    forbidden: adapters,
    advice: 'take a port of web/backends/ports.ts as a parameter',
    exceptions: /^web\/(main\.tsx|backends\/|demo\/)/,
  },
  {
    from: 'web/backends/',
    forbidden: ['web/records/', 'web/auth/', 'web/ui/'],
    advice: 'backends do not depend on screens',
  },
  ...adapters.map((from) => ({
    from,
    forbidden: adapters.filter((other) => other !== from),
    advice: 'adapters do not depend on each other',
  })),
  {
    from: 'web/ui/',
    forbidden: ['web/records/', 'web/auth/', 'web/backends/', 'contract/'],
    advice: 'web/ui does not depend on employees',
  },
  {
    from: 'web/records/model/',
    forbidden: ['web/records/register/', 'web/records/features/', 'web/records/page/', 'web/ui/'],
    advice: 'the model is below everything else of the records, and renders nothing',
  },
  {
    from: 'web/records/register/',
    forbidden: ['web/records/features/', 'web/records/page/'],
    advice: 'let the page pass it in, or move what both need to web/records/model/',
  },
  {
    from: 'web/records/features/',
    forbidden: ['web/records/register/', 'web/records/page/'],
    advice: 'move what both need to web/records/model/ or web/ui/',
  },
  ...readdirSync(join(root, 'web/records/features')).map((feature, _, features) => ({
    from: `web/records/features/${feature}/`,
    forbidden: features.filter((other) => other !== feature).map((other) => `web/records/features/${other}/`),
    advice: 'features do not import each other: move what both need to web/records/model/ or web/ui/',
  })),
  { from: 'web/auth/', forbidden: ['web/records/'], advice: 'the account screens do not depend on records' },
  {
    from: 'server/',
    forbidden: ['server/storage/sqlite/', 'server/storage/postgres/'],
    advice: 'take the port of server/storage/storage.ts as a parameter',
    exceptions: /^server\/(main|cli)\.ts$|^server\/storage\/|^server\/commands\//,
  },
  {
    from: 'server/http/',
    forbidden: ['server/records/', 'server/auth/', 'server/commands/'],
    advice: 'server/http does not depend on what it transports',
  },
  ...['server/cli.ts', 'server/commands/', 'server/storage/'].map((from) => ({
    from,
    forbidden: ['server/http/'],
    advice: 'this code does not depend on HTTP: throw an AppError (server/app-error.ts)',
  })),
]

/** Every import that points in a forbidden direction. */
export function findForbiddenImports(): string[] {
  return findSourceFiles('{contract,web,server}/**/*.{ts,tsx}').flatMap((file) =>
    checkImports(file, readSourceFile(file)),
  )
}

export function checkImports(file: string, text: string): string[] {
  const isTest = isTestFile(file)
  const targets = parseImports(file, text)
  const foreignStyles = targets
    .filter((target) => target.endsWith('.css') && !isOwnStyleSheet(file, target))
    .map((target) => `${file} imports ${target}: move what several features share to web/ui/`)
  const forbidden = targets.flatMap((target) =>
    rules
      .filter(({ from, forbidden, exceptions, includesTests }) => {
        const applies = file.startsWith(from) && !exceptions?.test(file) && (includesTests || !isTest)
        return applies && forbidden.some((path) => target.startsWith(path))
      })
      .map(({ advice }) => `${file} imports ${target}: ${advice}`),
  )
  return [...forbidden, ...foreignStyles]
}

const isTestFile = (file: string) => /\.test\.tsx?$/.test(file)

const readSourceFile = (file: string) => readFileSync(join(root, file), 'utf8')

/** A style sheet belongs to the components of its folder and of the folders in it; those of web/ui belong to all. */
function isOwnStyleSheet(file: string, target: string): boolean {
  return target.startsWith('web/ui/') || dirname(file).startsWith(dirname(target))
}

/** The imported files of this repository, as paths from its root. */
function parseImports(file: string, text: string): string[] {
  const specifiers = text.matchAll(
    /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]|new URL\(\s*['"](\.{1,2}\/[^'"]+)['"]/g,
  )
  return Array.from(specifiers, ([, imported, url]) => normalize(join(dirname(file), imported ?? url ?? '')))
}

/** Where neighbours must not import each other. */
const roomRoots = ['contract/', 'server/', 'web/']

/** How many arrows between its rooms a folder of web/records has at most. */
const maxArrows = 36

/** The pairs of neighbouring rooms that import each other, and folders of web/records with too many arrows, which it prints. */
export function findMutualImports(): string[] {
  const files = roomRoots.flatMap((path) => findSourceFiles(`${path}**/*.{ts,tsx}`))
  const counts = new Map<string, number>()
  for (const arrow of findArrows(files, readSourceFile).keys()) {
    const folder = dirname(arrow.split(' ')[0] ?? '')
    if (folder.startsWith('web/records')) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const [busiest = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a)
  const printed = `${busiest[1]} of ${maxArrows}: arrows between the rooms of ${busiest[0]}`
  console.error(`  ${printed}`)
  return [...checkRooms(files, readSourceFile), ...(busiest[1] > maxArrows ? [printed] : [])]
}

/**
 * The rooms of a folder are its folders and its files; a file and a folder of the same name are one room. A type counts as
 * any other import, tests do not count.
 */
export function checkRooms(files: string[], read: (file: string) => string): string[] {
  const arrows = findArrows(files, read)
  return [...arrows].flatMap(([arrow, example]) => {
    const [from = '', to = ''] = arrow.split(' ')
    const back = from < to && arrows.get(`${to} ${from}`)
    return back
      ? [`${from} and ${to} import each other: ${example}, ${back}; move what both need to where it belongs`]
      : []
  })
}

/** An example for each arrow from a room to its neighbour. Style sheets are no rooms: a folder's belong to all of it. */
function findArrows(files: string[], read: (file: string) => string): Map<string, string> {
  const arrows = new Map<string, string>()
  for (const file of files.filter((file) => !isTestFile(file)))
    for (const target of parseImports(file, read(file))) {
      const [from, to] = findRooms(file, target)
      if (from !== to && !target.endsWith('.css')) arrows.set(`${from} ${to}`, `${file} imports ${target}`)
    }
  return arrows
}

/** The rooms of the two files in the deepest folder that has both. */
function findRooms(file: string, target: string): [string, string] {
  const from = file.split('/')
  const to = target.split('/')
  const depth = from.findIndex((name, i) => name !== to[i])
  const toRoom = (path: string[]) =>
    path
      .slice(0, depth + 1)
      .join('/')
      .replace(/(?<=[^/.])\.[^/]*$/, '')
  return [toRoom(from), toRoom(to)]
}

/** The files that match a pattern, as paths from the root, without installed packages. */
export function findSourceFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort()
}
