import { describe, expect, it } from 'vitest'
import { OperatorError } from '../../app-error.ts'
import { requireSupportedNode } from './require-node.ts'

describe('durability: requireSupportedNode refuses a Node that truncates text', () => {
  it('accepts this Node', () => {
    expect(() => requireSupportedNode()).not.toThrow()
  })

  it('names the versions to use', () => {
    const truncate = (text: string) => text.split('\0')[0]
    expect(() => requireSupportedNode(truncate)).toThrow(OperatorError)
    expect(() => requireSupportedNode(truncate)).toThrow(/Use Node 24\.16 or newer/)
  })
})
