// The entry point of every npm script. Plain JavaScript, because it must run on Node 20: it installs what is missing
// (a newer Node, packages), prints a message, and runs the task.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSupportedNode, supportedNodes } from '../server/node-versions.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The program of each npm script, with its first arguments. */
const tasks = {
  start: 'scripts/start.ts',
  dev: 'scripts/dev.ts',
  'dev:firebase': 'scripts/dev-firebase.ts',
  'build:firebase': 'scripts/build.ts firebase',
  'build:demo': 'scripts/build.ts memory',
  check: 'scripts/check.ts',
  test: 'scripts/test.ts test',
  'test:all': 'scripts/test.ts all',
  'test:firebase': 'scripts/test.ts firebase',
  'test:postgres': 'scripts/test.ts postgres',
  'test:recipes': 'scripts/test.ts recipes',
  'test:release': 'scripts/test.ts release',
  'test:screen-reader': 'scripts/test.ts screen-reader',
  'test:nightly': 'scripts/test.ts nightly',
  release: 'scripts/release/main.ts',
  screenshots: 'scripts/screenshots.ts',
  staffbook: 'server/cli.ts',
  simulate: 'tests/simulation/main.ts',
  bench: 'bench/server/main.ts',
  'bench:page': 'bench/page/main.ts',
}

/** The C library, as packages for Linux name it. */
const ownLibc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'

const printStatus = (text) => process.stderr.write(`staffbook: ${text}\n`)

const fail = (text) => {
  printStatus(text)
  process.exit(1)
}

/**
 * Runs npm with the given Node. Prints to stderr, because stdout is the task's and may be a file. Resolves to its exit code and,
 * if it is piped, its output.
 */
async function runNpm(node, args, options) {
  const cli = process.env.npm_execpath
  const [command, first] = cli?.endsWith('.js') ? [node, [cli]] : ['npm', []]
  const child = spawn(command, [...first, ...args], {
    stdio: ['inherit', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    ...options,
  })
  let output = ''
  child.stderr?.on('data', (data) => (output += data))
  const code = await new Promise((resolve) => {
    child.on('close', resolve)
    child.on('error', () => resolve(1))
  })
  return { code, output }
}

let checkingRegistry

/** Says that there seems to be no network, because npm itself tries for minutes. Its cache may contain everything. */
async function checkRegistry(node, folder) {
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 8_000 }
  const { code, output } = await runNpm(node, ['ping', '--fetch-retries=0', '--fetch-timeout=6000'], options)
  // A registry that responds with an error, such as E404, is there.
  if (code === 0 || /\bE\d{3}\b/.test(output)) return
  printStatus(
    "npm's registry does not respond. Check the network connection; npm keeps trying for some minutes.",
  )
}

/**
 * Installs what a folder's lockfile has and node_modules lacks; without `isWhole`, only what the server and the build of the page
 * need. Not `npm ci`, which deletes node_modules first, also under a running server, and rejects a lockfile that lacks another
 * platform's optional package. `npm run check` makes sure that npm has nothing to repair. `--include` overrides
 * NODE_ENV=production and npm's `omit` setting: Node is an optional package.
 */
async function installPackages(node, folder, what, isWhole) {
  const { packages } = readPackages(join(folder, 'package-lock.json'))
  const installed = readPackages(recordOf(folder))
  const findMissing = () =>
    findPlatformPackages(packages, isWhole).filter((path) => !existsSync(join(folder, path, 'package.json')))
  if (isInstalled(packages, installed.packages, isWhole) && findMissing().length === 0) return
  printStatus(`installing ${what} …`)
  // npm would remove the packages for development that another task, or the developer, has installed.
  const withDev = isWhole || Object.values(installed.packages).some(({ dev }) => dev)
  const groups = ['--include=optional', withDev ? '--include=dev' : '--omit=dev']
  // Without warnings: Node itself may be being replaced by a newer one.
  const args = ['install', '--no-save', ...groups, '--no-audit', '--no-fund', '--loglevel=error']
  checkingRegistry ??= checkRegistry(node, folder)
  const [{ code }] = await Promise.all([runNpm(node, args, { cwd: folder }), checkingRegistry])
  if (code !== 0) fail(`npm ${args.join(' ')} failed in ${folder}; npm's messages are above.`)
  const missing = findMissing().map((path) => basename(path))
  if (missing.length > 0) {
    fail(`${missing.join(', ')} could not be downloaded. Check the network connection and try again.`)
  }
}

/** The file in which npm records what it has installed, after each installation that succeeds. */
const recordOf = (folder) => join(folder, 'node_modules', '.package-lock.json')

const readPackages = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { packages: {} })

/** Whether npm has installed all packages that are not optional; `findPlatformPackages` has the optional ones that matter. */
function isInstalled(packages, installed, isWhole) {
  return Object.entries(packages).every(([path, { version, optional, dev, devOptional }]) => {
    const isNeeded = path !== '' && !optional && (isWhole || !(dev || devOptional))
    return !isNeeded || (installed[path] !== undefined && installed[path].version === version)
  })
}

/**
 * The packages that are made for this platform. npm treats them as optional: it reports no error if it cannot download one, and
 * an installation for another platform in the same folder (a container's) removes them.
 */
function findPlatformPackages(packages, isWhole) {
  return Object.keys(packages).filter(
    (path) => isForThisPlatform(packages[path]) && (isWhole || !packages[path].dev),
  )
}

/** False for packages without `os`: they run everywhere, and may belong to a package for another platform. */
function isForThisPlatform({ os, cpu, libc }) {
  const matches = (wanted, own) => wanted === undefined || [wanted].flat().includes(own)
  return (
    os !== undefined && matches(os, process.platform) && matches(cpu, process.arch) && matches(libc, ownLibc)
  )
}

/** The path of a supported Node: this one, or the one in `runtime/`, installed if necessary. */
async function findNode() {
  const { node: version } = process.versions
  if (isSupportedNode(version)) return process.execPath
  const folder = join(root, 'runtime')
  await installPackages(
    process.execPath,
    folder,
    `a newer Node into runtime/ (this machine's is ${version})`,
    true,
  )
  const windows = process.platform === 'win32'
  const platform = `${windows ? 'win' : process.platform}-${process.arch}`
  // The package for Apple silicon has a name of its own. A Node for another C library may be installed, but does not run.
  const node = [`node-${platform}`, `node-bin-${platform}`]
    .map((name) => join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node'))
    .find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0)
  if (node) return node
  rmSync(recordOf(folder), { force: true })
  fail(
    `npm has no Node for this platform (${process.platform} on ${process.arch}). Install ${supportedNodes}, and try again.`,
  )
}

/**
 * Tasks run in the checkout. The command line resolves paths in its arguments against the folder in which it was called
 * (npm changes to the checkout), and paths in settings against the checkout, as `npm start` does.
 */
function resolvePaths(name) {
  if (name !== 'staffbook') return { cwd: root, settings: {} }
  const { npm_lifecycle_event: script, INIT_CWD: initialFolder } = process.env
  const paths = ['DATA_DIR', 'RECORDS_KEY_FILE', 'NEW_RECORDS_KEY_FILE']
    .map((setting) => [setting, process.env[setting]?.trim() || (setting === 'DATA_DIR' && './data')])
    .filter(([, path]) => path)
    .map(([setting, path]) => [setting, resolve(root, path)])
  return { cwd: (script === name && initialFolder) || process.cwd(), settings: Object.fromEntries(paths) }
}

const [name = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(tasks, name)) fail(`no task "${name}"; the tasks are: ${Object.keys(tasks).join(', ')}`)
// The server, its command line and the build of the page. All other tasks need everything.
const isWhole = !['start', 'staffbook', 'dev'].includes(name)
const finding = findNode()
// At the same time, because unpacking is most of the work. But npm skips what the Node that runs it is too old for.
const [major, minor] = process.versions.node.split('.').map(Number)
const installer = major === 20 && minor < 19 ? await finding : process.execPath
await installPackages(installer, root, isWhole ? 'packages for development' : 'packages', isWhole)
const node = await finding
const { cwd, settings } = resolvePaths(name)

// A young generation of 16 MB makes writes 5 to 15 % faster than one of 4 MB. V8 chooses less where memory is small. An old
// generation that grows in smaller steps takes a tenth less memory under load. The server calls gc() once after its start.
const startFlags = ['--max-semi-space-size=8', '--heap-growing-percent=70', '--expose-gc']
const flags = name === 'start' ? startFlags : []

const [program, ...firstArgs] = tasks[name].split(' ')
const child = spawn(node, [...flags, join(root, program), ...firstArgs, ...args], {
  cwd,
  stdio: 'inherit',
  env: {
    // Caches compiled and type-stripped modules, which halves the time of the second start.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    ...settings,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  },
})
// The terminal sends Ctrl-C and Ctrl-\ to the child too. The listeners keep this process alive until the child has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  process.on(signal, () => {
    if ((signal !== 'SIGINT' && signal !== 'SIGQUIT') || !process.stdin.isTTY) child.kill(signal)
  })
}
// npm sends SIGTERM only to the shell between itself and this process, so watch for the end of the parent process.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, 500)
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
