import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root, run, runTool } from '../../scripts/terminal.ts'
import { createFolder } from '../support/cleanup.ts'
import { demoKey } from '../support/firebase/emulators.ts'

const firebaseEnv = {
  VITE_BACKEND: 'firebase',
  VITE_FIREBASE_API_KEY: demoKey,
  VITE_FIREBASE_PROJECT_ID: 'demo-staffbook',
}

const selfHostedBuild = join(root, 'dist')
let firebaseBuild: string

/** Builds in a separate process, because Vitest sets NODE_ENV=test, which selects React's development build. */
async function buildInto(env: Record<string, string>): Promise<string> {
  const folder = createFolder()
  const args = ['build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  expect(await runTool('vite/bin/vite.js', args, { ...env, NODE_ENV: 'production' })).toBe(0)
  return folder
}

beforeAll(async () => {
  // Builds it, unless it was built from the same files.
  expect(await run(process.execPath, ['scripts/build.ts'])).toBe(0)
  firebaseBuild = await buildInto(firebaseEnv)
})
afterAll(() => {
  rmSync(firebaseBuild, { recursive: true })
})

const readScripts = (folder: string) =>
  globSync('**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))

/** The scripts in index.html, which the account screens load. */
function readInitialScripts(folder: string): string {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const names = new Set(Array.from(page.matchAll(/src="\/(assets\/[^"]+\.js)"/g), ([, name = '']) => name))
  return Array.from(names, (name) => readFileSync(join(folder, name), 'utf8')).join('')
}

describe('production builds', () => {
  test('the build for our own server contains no Firebase code', () => {
    expect(
      readScripts(selfHostedBuild).filter((text) => /firebase[:/]|firestore|identitytoolkit/i.test(text)),
    ).toEqual([])
  })

  test('the build for Firebase contains no requests to our own server', () => {
    expect(readScripts(firebaseBuild).filter((text) => text.includes('/api/identity'))).toEqual([])
  })

  test('the account screens load Firebase Auth, but not Firestore', () => {
    const isFirestore = (text: string) => text.includes('google.firestore.v1.Firestore')
    expect(readInitialScripts(firebaseBuild)).toContain('identitytoolkit.googleapis.com')
    expect(isFirestore(readInitialScripts(firebaseBuild))).toBe(false)
    expect(readScripts(firebaseBuild).filter(isFirestore)).toHaveLength(1)
  })

  test('the account screens’ JavaScript is at most 1.4 times as large as with our own server', () => {
    expect(readInitialScripts(selfHostedBuild)).not.toContain('react.dev/link')
    const bytes = (folder: string) => gzipSync(readInitialScripts(folder), { level: 9 }).length
    expect(bytes(firebaseBuild) / bytes(selfHostedBuild)).toBeLessThanOrEqual(1.4)
  })

  test('a build without valid configuration fails', async () => {
    const env = {
      VITE_BACKEND: 'firebase',
      VITE_FIREBASE_API_KEY: '',
      VITE_FIREBASE_PROJECT_ID: 'No Project',
    }
    expect(await run(process.execPath, ['scripts/build.ts', 'firebase'], env)).toBe(1)
  })
})
