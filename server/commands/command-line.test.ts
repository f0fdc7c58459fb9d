import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { promptSecret } from './command.ts'
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

test('security: standard input without an end is refused as a password before it fills the memory', async () => {
  const endless = function* () {
    for (;;) yield Buffer.alloc(1000, 'x')
  }
  const stdin = Readable.from(endless()) as typeof process.stdin
  const terminal = { env: {}, stdin, stdout: process.stdout, stderr: process.stderr }
  await expect(promptSecret('Password: ', terminal)).rejects.toThrow(/^Standard input has more than/)
})
