// The door of every npm script. Plain JavaScript, because it must run on the oldest Node we accept (20);
// it brings what is missing (a newer Node, packages), says so while it does, and hands over to the task.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Each task and the TypeScript file that does it. */
const tasks = {
  start: 'scripts/start.ts',
  dev: 'scripts/dev.ts',
  'build:firebase': 'scripts/build-firebase.ts',
  check: 'scripts/check.ts',
  test: 'scripts/test.ts',
  'test:firebase': 'tests/firebase/run.ts',
  'test:postgres': 'tests/postgres/run.ts',
  screenshots: 'scripts/screenshots.ts',
  staffbook: 'server/cli.ts',
  bench: 'bench/server/main.ts',
  'test:faults': 'tests/faults/long.ts',
  'bench:page': 'bench/page/main.ts',
}

/** node:sqlite keeps text whole from 24.16 and 26.1 on; before, and in all of 25, it cuts it at U+0000. */
const isSupportedVersion = (version) => {
  const [major, minor] = version.split('.').map(Number)
  return (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || major > 26
}

/** The C library, as packages for Linux name it. */
const hostLibc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'

const printStatus = (text) => process.stderr.write(`staffbook: ${text}\n`)

const stop = (text) => {
  printStatus(text)
  process.exit(1)
}

/**
 * Runs npm with the given Node, so that a package's `engines` are judged by the Node it will run on. Its words go to
 * stderr: stdout is the task's, and may be a file.
 */
function npm(node, args, folder) {
  const cli = process.env.npm_execpath
  const [command, first] = cli?.endsWith('.js') ? [node, [cli]] : ['npm', []]
  const done = spawnSync(command, [...first, ...args, '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['inherit', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  })
  if (done.status !== 0) stop(`npm ${args.join(' ')} failed in ${folder}; its own words are above.`)
}

/**
 * Installs a folder's lockfile once; again only when the lockfile has changed, and then what has changed: `npm ci` would
 * take everything away first, from under a running server too. The lockfile stays as it is. `--include` stands against
 * NODE_ENV=production and an npm that is told to omit: the page is built here, and Node itself is an optional package.
 */
function installPackages(node, folder, what) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules', '.installed-lock')
  const isDone = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
  if (isDone && missingPackages(folder).length === 0) return
  printStatus(`installing ${what} …`)
  npm(node, ['install', '--no-save', '--include=dev', '--include=optional'], folder)
  const missing = missingPackages(folder)
  if (missing.length > 0) {
    stop(`${missing.join(', ')} could not be fetched. Is there a network? Please try again.`)
  }
  writeFileSync(stamp, lock)
}

/**
 * The packages made for machines like this one that are not there. To npm they are optional: it says nothing where it
 * cannot fetch one. An installation for another machine, a container on the same folder, takes them away.
 */
function missingPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.keys(packages)
    .filter((path) => isForThisMachine(packages[path]) && !existsSync(join(folder, path, 'package.json')))
    .map((path) => basename(path))
}

/** What names no system runs on all, and may be a part of a package for another one. */
function isForThisMachine({ os, cpu, libc }) {
  const fits = (wanted, own) => wanted === undefined || [wanted].flat().includes(own)
  return os !== undefined && fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, hostLibc)
}

/**
 * Tasks run in the checkout. The command line is typed elsewhere too: the paths in its arguments begin where it was typed
 * (npm goes to the checkout before it calls us, npx does not), those in settings where `npm start` takes them from.
 */
function resolveLocation(name) {
  if (name !== 'staffbook') return { cwd: root, settings: {} }
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env
  const paths = ['DATA_DIR', 'RECORDS_KEY_FILE', 'NEW_RECORDS_KEY_FILE']
    .map((setting) => [setting, process.env[setting]?.trim() || (setting === 'DATA_DIR' && './data')])
    .filter(([, path]) => path)
    .map(([setting, path]) => [setting, resolve(root, path)])
  return { cwd: (script === name && typedIn) || process.cwd(), settings: Object.fromEntries(paths) }
}

/** The path of a Node that is new enough: this one, or the one that npm brings. */
function findNode() {
  if (isSupportedVersion(process.versions.node)) return process.execPath
  const folder = join(root, 'runtime')
  installPackages(
    process.execPath,
    folder,
    `a newer Node (this machine's is ${process.versions.node}, and stays as it is)`,
  )
  const node = bundledNodePaths(folder).find((path) => existsSync(path) && canRun(path))
  if (!node) {
    rmSync(join(folder, 'node_modules', '.installed-lock'), { force: true })
    stop(
      `npm has no Node that runs here (${process.platform} on ${process.arch}). Please install Node 24.16 or newer, but neither 25 nor 26.0, and try again.`,
    )
  }
  return node
}

/** Where npm may have put it: the package for Apple silicon is named differently. */
function bundledNodePaths(folder) {
  const windows = process.platform === 'win32'
  const platform = `${windows ? 'win' : process.platform}-${process.arch}`
  return [`node-${platform}`, `node-bin-${platform}`].map((name) =>
    join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node'),
  )
}

/** One built for another C library is there and does not run. */
const canRun = (node) => spawnSync(node, ['--version']).status === 0

const [name = '', ...args] = process.argv.slice(2)
const file = Object.hasOwn(tasks, name)
  ? tasks[name]
  : stop(`no task "${name}"; there are: ${Object.keys(tasks).join(', ')}`)
const node = findNode()
installPackages(node, root, 'packages')
const { cwd, settings } = resolveLocation(name)

// A small nursery costs a server nothing that was measured and saves up to 30 MB; with the other flag it can give back what
// its start has left behind.
const flags = name === 'start' ? ['--max-semi-space-size=4', '--expose-gc'] : []

const child = spawn(node, [...flags, join(root, file), ...args], {
  cwd,
  stdio: 'inherit',
  env: {
    // What was compiled once, and stripped of its types, need not be again: the second start takes half as long.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    ...settings,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  },
})
// Ctrl-C reaches the whole terminal group by itself; the listeners keep this process alive until the task has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
}
// Told to stop, npm ends only the shell between itself and us, which tells nobody: we see that our parent has gone.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
