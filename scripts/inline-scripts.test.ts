import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readInlineScript } from './inline-scripts.ts'

test('Firebase Hosting allows the script that the page for Firebase contains', () => {
  const hash = createHash('sha256')
    .update(`\n${readInlineScript('theme.js')}`)
    .digest('base64')
  expect(readFileSync('firebase.json', 'utf8')).toContain(`script-src 'self' 'sha256-${hash}';`)
})
