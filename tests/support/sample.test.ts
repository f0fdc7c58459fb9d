import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSample, seed } from './sample.ts'

const cases = ['a', 'b', 'c', 'd', 'e']

test('the same seed chooses the same cases, in their order; another salt chooses others', () => {
  const choose = (salt: string) => createSample(20_261_128)(cases, 2, { salt })
  expect(choose('x')).toHaveLength(2)
  expect(choose('x')).toEqual(cases.filter((one) => choose('x').includes(one)))
  expect(choose('x')).toEqual(choose('x'))
  const choices = Array.from({ length: 50 }, (_, i) => choose(`${i}`).join())
  expect(new Set(choices).size).toBe(10)
})

test('the days of a month choose every case', () => {
  const days = Array.from({ length: 30 }, (_, day) => createSample(20_261_101 + day)(cases, 1)[0])
  expect(new Set(days).size).toBe(cases.length)
})

test('each day has the corner cases, in their place, and so many others', () => {
  const isCorner = (one: string) => one === 'a' || one === 'd'
  const days = Array.from({ length: 30 }, (_, day) => createSample(20_261_101 + day)(cases, 1, { isCorner }))
  expect(new Set(days.map((day) => day.join('')))).toEqual(new Set(['abd', 'acd', 'ade']))
})

test('a random test has the seed of the run', () => {
  expect(fc.readConfigureGlobal().seed).toBe(seed)
})
