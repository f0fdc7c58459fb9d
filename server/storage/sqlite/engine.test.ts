import { describe, expect, it } from 'vitest'
import { requireSupportedNode, UnsupportedNodeError } from './engine.ts'

describe('durability: a Node that does not keep text whole is refused', () => {
  it('which this one is not', () => {
    expect(() => requireSupportedNode()).not.toThrow()
  })

  it('with the one to use in its place', () => {
    const cutting = (text: string) => text.split('\0')[0]
    expect(() => requireSupportedNode(cutting)).toThrow(UnsupportedNodeError)
    expect(() => requireSupportedNode(cutting)).toThrow(/Please use Node 24\.16 or newer/)
  })
})
