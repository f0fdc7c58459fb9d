import { expect, test } from 'vitest'
import { emptyFields } from '../../contract/employees.ts'
import { displayName, titleField } from './fields.tsx'
import { noName } from './words.ts'

const display = (name: string) => displayName({ ...emptyFields, [titleField]: name })

test.each(['', ' \t\n', '\u200b\u2060', '\u3164', '\u2800', '\u202e', '\u00ad\ufeff', '\u0000'])(
  'the invisible name %j is shown as (no name)',
  (name) => {
    expect(display(name)).toBe(noName)
  },
)

test.each(['Ada', '-', '\u200bA', '👩‍💻', 'ع'])('the name %s is shown as it is', (name) => {
  expect(display(name)).toBe(name)
})
