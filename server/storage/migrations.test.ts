import { expect, test } from 'vitest'
import { readMigrations } from './migrations.ts'

test.each(['sqlite', 'postgres'])('the migrations of %s have consecutive versions, each once', (database) => {
  const migrations = readMigrations(new URL(`./${database}/migrations/`, import.meta.url))
  const [first] = migrations
  expect(migrations.map(({ version }) => version)).toEqual(
    migrations.map((_, index) => (first?.version ?? 0) + index),
  )
})
