import { afterEach, beforeEach, expect, vi } from 'vitest'

// What a test leaves on the console is a failure nobody reads: React's and Redux's complaints come that way.
const consoleErrors: unknown[][] = []

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...words) => consoleErrors.push(words))
})

afterEach(() => {
  vi.useRealTimers()
  expect(consoleErrors.splice(0), 'nothing on console.error').toEqual([])
})
