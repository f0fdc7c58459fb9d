import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runCommandLine } from './command-line.ts'

test('security: nothing that is printed changes the terminal', async () => {
  const hostile = 'x\u001b[2J\u009b31m\u007f\r'
  for (const given of [[hostile], ['check', hostile], [`--${hostile}`]]) {
    const output = new PassThrough()
    await runCommandLine(given, { env: {}, stdin: process.stdin, stdout: output, stderr: output })
    const text = String(output.read())
    expect(text).toContain(String.raw`x\u001b[2J\u009b31m\u007f`)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  }
})
