import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { catalogs } from './catalogs.ts'
import { buildEmergencyViewer, readInlineScript, readInlineStyle } from './page-plugins.ts'

test('Firebase Hosting allows the script and the style that the page for Firebase contains', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const script = hash(`\n${readInlineScript('first-paint.js')}`)
  const style = hash(readInlineStyle())
  expect(readFileSync('firebase.json', 'utf8')).toContain(
    `script-src 'self' ${script}; style-src 'self' ${style};`,
  )
})

test('the other static hosts have the headers of firebase.json', () => {
  const [{ headers: all }, { headers: ofAssets }] = JSON.parse(readFileSync('firebase.json', 'utf8')).hosting
    .headers
  const pages = readFileSync('deploy/firebase/_headers', 'utf8')
  const nginx = readFileSync('deploy/firebase/nginx.conf', 'utf8')
  for (const { key, value } of [...all, ...ofAssets]) {
    const isDefault = value === 'no-cache'
    if (!isDefault) expect(pages).toContain(`  ${key}: ${value}\n`)
    const count = nginx.split(`add_header ${key} "${value}" always;`).length - 1
    expect([key, count]).toEqual([key, key === 'Cache-Control' ? 1 : 2])
  }
})

test('the viewer of emergency files has at most 17 KB, and its CSP allows its script and nothing else', async () => {
  const viewer = await buildEmergencyViewer()
  expect(gzipSync(viewer, { level: 9 }).length).toBeLessThanOrEqual(17_000)
  const [, script = ''] = /<script type="module">(.*?)<\/script>/s.exec(viewer) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(viewer).toContain(`content="default-src 'none'; script-src 'sha256-${hash}'; `)
  expect(viewer.match(/__\w+__/g)).toEqual(['__RECORDS__'])
})

test('a module that Vitest keeps for later runs is transformed again if the texts of others have changed', () => {
  const keyOf = (pattern: string) => {
    let key: unknown
    const defineCacheKeyGenerator = (generate: () => unknown) => {
      key = generate()
    }
    Reflect.apply(catalogs(pattern).configureVitest as () => void, undefined, [{ defineCacheKeyGenerator }])
    return key
  }
  expect(keyOf('web/auth/**/*.tsx')).toEqual(keyOf('web/auth/**/*.tsx'))
  expect(keyOf('web/auth/**/*.tsx')).not.toEqual(keyOf('web/**/*.tsx'))
})
