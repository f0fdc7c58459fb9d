import type { ParseRequest } from './parse-source.ts'

// Imports no module: built into this file, it would be imported from here by the readers that are loaded on demand, and WebKit
// evaluates the file of a worker again when a module imports it. Its classes of errors would then exist twice.
const loading = import('./parse-source.ts')

// The page hears of an exception, not of a rejected promise.
loading.catch(reportError)

addEventListener('message', async ({ data }: MessageEvent<ParseRequest>) => {
  const { answerRequest } = await loading
  await answerRequest(data)
})
