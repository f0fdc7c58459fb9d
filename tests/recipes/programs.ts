import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from '../../scripts/terminal.ts'
import { cleanUpAfterTest, createFolder } from '../support/cleanup.ts'

/** Debian's services are not in the PATH of every user. */
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter) }

export const isInstalled = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env }).status === 0

/** Runs a program to its end. */
export function runProgram(program: string, args: string[], extraEnv: Record<string, string> = {}) {
  const result = spawnSync(program, args, { env: { ...env, ...extraEnv }, encoding: 'utf8' })
  return { status: result.status, output: `${result.stdout}${result.stderr}` }
}

/** Reads a file of deploy/ and replaces parts of it. Throws if one is not there. */
export function adaptRecipe(name: string, replacements: [from: string | RegExp, to: string][]): string {
  let text = readFileSync(join(root, 'deploy', name), 'utf8')
  for (const [from, to] of replacements) {
    const replaced = text.replace(from, to)
    if (replaced === text) throw new Error(`deploy/${name} does not contain ${from}.`)
    text = replaced
  }
  return text
}

/** A folder with a certificate for localhost, which is removed when the current test has finished. */
export function createSite() {
  const folder = createFolder()
  const [certificate, key] = [join(folder, 'localhost.crt'), join(folder, 'localhost.key')]
  const request = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost`
  const made = runProgram('openssl', [...request.split(' '), '-keyout', key, '-out', certificate])
  if (made.status !== 0) throw new Error(made.output)
  writeFileSync(join(folder, 'localhost.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  return {
    folder,
    certificate,
    key,
    ca: readFileSync(certificate),
    /** Starts a program, which ends with the test. */
    start(program: string, args: string[], extraEnv: Record<string, string> = {}) {
      const child = spawn(program, args, {
        cwd: folder,
        stdio: 'ignore',
        env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...extraEnv },
      })
      cleanUpAfterTest(() => child.exitCode === null && child.kill('SIGTERM') && once(child, 'exit'))
    },
  }
}
