import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrices } from '../../tests/e2e/untried-journeys.ts'
import { parts } from '../../tests/firebase/repeated-journeys.ts'
import { teamJourneys } from '../../tests/postgres/repeated-tests.ts'
import { root } from '../terminal.ts'

const files = globSync('tests/e2e/*.spec.ts', { cwd: root })
const texts = files.map((file) => file + readFileSync(join(root, file), 'utf8'))

test.each([...matrices.flatMap(([, titles]) => titles), ...parts.flat(), ...teamJourneys])(
  'what a day may leave out is in one file: %s',
  (text) => {
    expect(texts.filter((file) => file.includes(text))).toHaveLength(1)
  },
)
