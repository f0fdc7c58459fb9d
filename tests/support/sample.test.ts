import { expect, test } from 'vitest'
import { createSample } from './sample.ts'

const cases = ['a', 'b', 'c', 'd', 'e']

test('the same seed chooses the same cases, in their order; another salt chooses others', () => {
  const chosen = createSample(20_261_128)(cases, 2, 'x')
  expect(chosen).toHaveLength(2)
  expect(chosen).toEqual(cases.filter((one) => chosen.includes(one)))
  expect(createSample(20_261_128)(cases, 2, 'x')).toEqual(chosen)
  const salts = Array.from({ length: 50 }, (_, i) => createSample(20_261_128)(cases, 2, `${i}`).join())
  expect(new Set(salts).size).toBe(10)
})

test('the days of a month choose every case', () => {
  const days = Array.from({ length: 30 }, (_, day) => createSample(20_261_101 + day)(cases, 1)[0])
  expect(new Set(days).size).toBe(cases.length)
})
