import { expect, test } from 'vitest'
import { findPatchedNode, isSupportedNode } from './node-versions.js'

test.each([
  ['20.20.0', false, undefined],
  ['22.23.0', false, undefined],
  ['24.15.9', false, '24.22.1'],
  ['24.16.0', true, '24.22.1'],
  ['24.22.0', true, '24.22.1'],
  ['24.22.1', true, undefined],
  ['24.100.0', true, undefined],
  ['25.9.0', false, undefined],
  ['26.0.0', false, '26.12.1'],
  ['26.12.0', true, '26.12.1'],
  ['26.12.1', true, undefined],
  ['28.0.0', true, undefined],
])('Node %s is supported: %s; its vulnerabilities are fixed in %s', (version, isSupported, patched) => {
  expect([isSupportedNode(version), findPatchedNode(version)]).toEqual([isSupported, patched])
})
