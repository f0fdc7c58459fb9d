import { text } from 'node:stream/consumers'

/** The operator cancelled a prompt with Ctrl-C or an empty line. */
export class PromptCancelledError extends Error {
  constructor() {
    super('Cancelled; nothing was changed.')
    this.name = 'PromptCancelledError'
  }
}

/** Prompts at the terminal without echo. Without a terminal, reads standard input to its end. */
export async function promptSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write(question)
  process.stdin.setRawMode(true).setEncoding('utf8').resume()
  try {
    return await readHiddenLine()
  } finally {
    process.stdin.setRawMode(false).pause()
    process.stderr.write('\n')
  }
}

async function readHiddenLine(): Promise<string> {
  let line = ''
  for await (const piece of process.stdin) {
    for (const character of String(piece)) {
      if (character === '\r' || character === '\n') {
        if (line === '') throw new PromptCancelledError()
        return line
      }
      if (character === '\u0003' || character === '\u0004') throw new PromptCancelledError()
      line = character === '\u007f' || character === '\b' ? [...line].slice(0, -1).join('') : line + character
    }
  }
  return line
}
