import { describe, expect, it } from 'vitest'
import { EngineError, requireEngine } from './engine.ts'

describe('durability: a Node that does not keep text whole is refused', () => {
  it('which this one is not', () => {
    expect(() => requireEngine()).not.toThrow()
  })

  it('with the one to use in its place', () => {
    const cutting = (text: string) => text.split('\0')[0]
    expect(() => requireEngine(cutting)).toThrow(EngineError)
    expect(() => requireEngine(cutting)).toThrow(/Please use Node 24\.16 or newer/)
  })
})
