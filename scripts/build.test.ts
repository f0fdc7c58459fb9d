import fs, { globSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createFolder } from '../tests/support/cleanup.ts'
import { listInputs, runVite } from './build.ts'
import { root } from './terminal.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  vi.unstubAllEnvs()
})

test('counts every file that a build reads into the fingerprint, reads none of tests/, and builds for production with any NODE_ENV', {
  tags: 'large',
}, async () => {
  vi.stubEnv('NODE_ENV', 'development')
  vi.stubEnv('VITE_BACKEND', 'firebase')
  const read = new Set<string>()
  const readFile = fs.readFileSync
  vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) => {
    read.add(String(path))
    return readFile(path, options)
  })
  syncBuiltinESMExports()
  const outDir = createFolder()
  await runVite('self-hosted', {
    build: { outDir },
    plugins: [
      {
        name: 'record-inputs',
        configResolved: ({ configFileDependencies }) => {
          for (const path of configFileDependencies) read.add(path)
        },
        buildEnd() {
          for (const id of this.getModuleIds()) read.add(id.replace(/\?.*/, ''))
        },
      },
    ],
  })

  const sources = [...read]
    .map((path) => relative(root, path))
    .filter(
      (path) => !path.startsWith('..') && !path.includes('node_modules') && fs.existsSync(join(root, path)),
    )
  expect(sources).toEqual(
    expect.arrayContaining(['web/service-worker.js', 'scripts/terminal.ts', 'web/main.tsx']),
  )
  expect(sources.filter((path) => !listInputs().includes(path))).toEqual([])
  expect(sources.filter((path) => path.startsWith('tests/'))).toEqual([])
  const scripts = globSync('assets/*.js', { cwd: outDir }).map((file) =>
    readFileSync(join(outDir, file), 'utf8'),
  )
  expect(scripts.join()).toContain('/api/')
  expect(scripts.join()).not.toContain('was called before the catalog was loaded')
  // WebKit evaluates the file of a worker again when a module imports it.
  expect(scripts.join()).not.toMatch(/["'`]\.\/parse-worker-/)
  expect(process.env).toMatchObject({ NODE_ENV: 'development', VITE_BACKEND: 'firebase' })
})
