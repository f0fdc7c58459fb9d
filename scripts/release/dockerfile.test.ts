import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { findPatchedNode, isSupportedNode } from '../../server/node-versions.js'
import { root } from '../terminal.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('the Dockerfile is valid; its image is not root, has a health check and a patched Node', () => {
  const dockerfile = read('deploy/Dockerfile')
  expect(validate(dockerfile)).toEqual([])
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  const instructions = Array.from(lastStage.matchAll(/^([A-Z]+) (.*)$/gm), ([, name, value]) => [name, value])
  expect(instructions).toEqual(
    expect.arrayContaining([
      ['USER', 'node'],
      ['VOLUME', '/data'],
      ['STOPSIGNAL', 'SIGTERM'],
      ['HEALTHCHECK', expect.any(String)],
    ]),
  )
  const version = read('.node-version').trim()
  expect(dockerfile).toContain(`ARG NODE_VERSION=${version}\n`)
  expect([isSupportedNode(version), findPatchedNode(version)]).toEqual([true, undefined])
})
