import { expect, test } from 'vitest'
import { displayName } from './employee-name.tsx'
import { noName } from './words.ts'

test.each(['', ' \t\n', '\u200b\u2060', '\u3164', '\u2800', '\u202e', '\u00ad\ufeff', '\u0000'])(
  'the invisible name %j is shown as (no name)',
  (name) => {
    expect(displayName(name)).toBe(noName)
  },
)

test.each(['Ada', '-', '\u200bA', '👩‍💻', 'ع'])('the name %s is shown as it is', (name) => {
  expect(displayName(name)).toBe(name)
})
