import { expect } from 'vitest'
import { cleanUpAfterTest } from '../support/cleanup.ts'
import { startServer } from '../support/e2e/backend.ts'
import { startDesktop } from './orca.ts'

/** What was said between one action of the listener and the next, and the sentences that were needed then. */
interface Step {
  action: string
  start: number
  needed: string[]
}

export type Listener = Awaited<ReturnType<typeof openListener>>

/** A person who uses the page with the keyboard and hears it. Everyone has a server, a browser and a screen reader of their own. */
export async function openListener({ locale = 'en-GB' } = {}) {
  const server = await startServer()
  cleanUpAfterTest(server.stop)
  const { browser, readSpoken, ...desktop } = await startDesktop()
  const context = await browser.newContext({ baseURL: server.url, locale, viewport: null })
  const page = await context.newPage()
  desktop.focusWindow()
  const steps: Step[] = []

  function begin(action: string) {
    steps.push({ action, start: readSpoken().length, needed: [] })
  }
  const act = (action: string, run: () => unknown) => {
    begin(action)
    return run()
  }

  /** Waits until this was said since the last action. */
  async function reaches(sentence: string) {
    const step = steps.at(-1)
    const heard = () => readSpoken().slice(step?.start)
    await expect
      .poll(() => heard().some((line) => line.includes(sentence)) || heard(), {
        message: `after ${step?.action}: ${sentence}`,
      })
      .toBe(true)
  }

  /** Waits until each of these sentences was said, which a user needs at that moment, and once. */
  async function hears(...sentences: string[]) {
    for (const sentence of sentences) {
      steps.at(-1)?.needed.push(sentence)
      await reaches(sentence)
    }
  }

  return {
    server,
    page,
    context,
    hears,
    reaches,
    goto: (path: string) => act(`opening ${path}`, () => page.goto(path)),
    /** Opens /form for an account that is signed in. */
    async openForm() {
      await act('opening the form', () => server.openSession(page))
      await expect.poll(() => readSpoken().some((line) => /^Finished loading/.test(line))).toBe(true)
    },
    press: (...keys: string[]) => act(keys.join(' '), () => desktop.press(...keys)),
    type: (text: string) => act(`typing ${text}`, () => desktop.type(text)),
    /** Something that happens without the listener. */
    meanwhile: (what: string, run: () => Promise<unknown>) => act(what, run),
    /** Checks what was said: each needed sentence once, and none again after the next action. */
    async expectNothingTwice() {
      // The screen reader works in order: when it tells the time, it has said all else.
      begin('asking for the time')
      desktop.press('Insert+t')
      await expect
        .poll(() => readSpoken().slice(steps.at(-1)?.start))
        .toContainEqual(expect.stringMatching(/^\d\d?:\d\d/))
      const lines = readSpoken()
      expect(findFaults(steps, lines), lines.join('\n')).toEqual([])
    },
  }
}

/** Sentences that were not said once at their moment, or again after the next action. */
function findFaults(steps: Step[], lines: string[]): string[] {
  return steps.flatMap(({ action, start, needed }, index) => {
    const next = steps[index + 1]
    const end = next?.start ?? lines.length
    const afterNext = steps[index + 2]?.start ?? lines.length
    const countIn = (from: number, to: number, sentence: string) =>
      lines.slice(from, to).filter((line) => line.includes(sentence)).length
    return needed.flatMap((sentence) => [
      ...(countIn(start, end, sentence) === 1 ? [] : [`${action}: "${sentence}" was not said once`]),
      ...(countIn(end, afterNext, sentence) === 0 || next?.needed.includes(sentence)
        ? []
        : [`${action}: "${sentence}" was said again`]),
    ])
  })
}
