import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createFolder } from '../../tests/support/cleanup.ts'
import { promptSecret } from './command.ts'
import { runCommandLine } from './command-line.ts'

test('security: nothing that is printed changes the terminal', async () => {
  const hostile = 'x\u001b[2J\u009b31m\u007f\u202e\u2067\r'
  for (const given of [[hostile], ['check', hostile], [`--${hostile}`]]) {
    const output = new PassThrough()
    await runCommandLine(given, { env: {}, stdin: process.stdin, stdout: output, stderr: output })
    const text = String(output.read())
    expect(text).toContain(String.raw`x\u001b[2J\u009b31m\u007f\u202e\u2067`)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
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

test('what the file system or SQLite refuses is one line, without a stack', async () => {
  for (const details of [{ errcode: 10 }, { syscall: 'read' }]) {
    const error = Object.assign(new Error('disk I/O error'), details)
    const stdin = new Readable({ read: () => stdin.destroy(error) }) as typeof process.stdin
    const stderr = new PassThrough()
    const args = ['--data', createFolder(), 'account', 'add', 'ada@example.com']
    expect(await runCommandLine(args, { env: {}, stdin, stdout: process.stdout, stderr })).toBe(1)
    expect(String(stderr.read())).toBe('staffbook: disk I/O error\n')
  }
})
