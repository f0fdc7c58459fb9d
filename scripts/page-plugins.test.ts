import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readInlineScript } from './page-plugins.ts'

test('Firebase Hosting allows the script that the page for Firebase contains', () => {
  const hash = createHash('sha256')
    .update(`\n${readInlineScript('theme.js')}`)
    .digest('base64')
  expect(readFileSync('firebase.json', 'utf8')).toContain(`script-src 'self' 'sha256-${hash}';`)
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
