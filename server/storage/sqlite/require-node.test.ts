import { expect, it } from 'vitest'
import { OperatorError } from '../../app-error.ts'
import { requireSupportedNode } from './require-node.ts'

it('durability: a Node that truncates text is refused, with the versions to use', () => {
  expect(() => requireSupportedNode()).not.toThrow()
  const truncate = (text: string) => text.split('\0')[0]
  expect(() => requireSupportedNode(truncate)).toThrow(OperatorError)
  expect(() => requireSupportedNode(truncate)).toThrow(/Use Node 24\.16 or newer/)
})
