import { expect, it } from 'vitest'
import { cleanUpAfterTest } from '../support/cleanup.ts'
import { startServer } from '../support/e2e/backend.ts'
import { account, ada, alan, grace, named, nameOf } from '../support/people.ts'
import {
  type Actions,
  firefoxPath,
  miniBrowserPath,
  startChromium,
  startFirefox,
  startWebKit,
  type Tab,
} from './drivers.ts'

const edsger = named('Edsger Dijkstra')

/** What a user does in a tab, by the names that are read to users of screen readers. */
function userOf(tab: Tab) {
  const evaluate = async (expression: string) =>
    JSON.parse(
      await tab.evaluate(`Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`),
    )

  async function press(name: string) {
    const find = `[...document.querySelectorAll('button, input, textarea')].find((element) =>
      element.checkVisibility() && !element.disabled && ${JSON.stringify(name)} ===
      (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent).trim())`
    const locate = `((element) => {
      element?.scrollIntoView({ block: 'center', behavior: 'instant' })
      const box = element?.getBoundingClientRect()
      const place = box && { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
      return place && [place, element.contains(document.elementFromPoint(place.x, place.y))]
    })(${find})`
    const point = (actions: object[]) => tab.perform([{ type: 'pointer', id: 'mouse', actions }] as Actions)
    // It may be on its way to its place, and covered until then.
    let last = ''
    const isThere = async () => {
      const found = await evaluate(locate)
      const isStill = JSON.stringify(found) === last
      last = JSON.stringify(found)
      if (found) await point([{ type: 'pointerMove', ...found[0] }])
      return isStill && found?.[1] === true
    }
    await expect.poll(isThere, { message: name }).toBe(true)
    await point([
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ])
  }

  async function fill(values: Record<string, string>) {
    for (const [name, text] of Object.entries(values)) {
      await press(name)
      await evaluate('document.activeElement.select()')
      const keys = Array.from(text, (value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await tab.perform([{ type: 'key', id: 'keyboard', actions: keys.flat() }])
    }
  }

  return {
    goto: tab.goto,
    evaluate,
    press,
    fill,
    async sendAccount(action: string) {
      await fill({ Email: account.email, Password: account.password })
      await press(action)
    },
    async submit(record: typeof ada) {
      await fill({ 'Employee Name': nameOf(record), Email: record.email, Password: record.password })
      await press('Submit')
    },
    async chooseFile(text: string) {
      const input = "document.querySelector('input[type=file]')"
      await expect.poll(() => evaluate(`${input} !== null`)).toBe(true)
      await evaluate(`((input, data) => {
        data.items.add(new File([${JSON.stringify(text)}], 'rows.csv'))
        input.files = data.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      })(${input}, new DataTransfer())`)
    },
    sees: (text: string) =>
      expect.poll(() => evaluate('document.body.innerText'), { message: text }).toContain(text),
    seesRows: (...records: (typeof ada)[]) =>
      expect
        .poll(() => evaluate("[...document.querySelectorAll('tbody th')].map((cell) => cell.textContent)"))
        .toEqual(records.map(nameOf)),
  }
}

const engines = [
  ['Chromium', process.env.CHROMIUM_PATH, startChromium],
  ['Firefox', firefoxPath, startFirefox],
  ['WebKit', miniBrowserPath, startWebKit],
] as const

for (const [engine, path, start] of engines) {
  if (!path) {
    console.error(`staffbook: NOT RUN, because it is not installed: ${engine}`)
    continue
  }
  it(`${engine}: a person signs up, adds, deletes, undoes, imports and copies, live in two windows, and offline`, async () => {
    const server = await startServer()
    cleanUpAfterTest(server.stop)
    const openTab = await start()
    const user = userOf(await openTab())
    await user.goto(server.url)
    await user.sendAccount('Sign Up')
    await user.sees('Welcome Back')
    await user.sendAccount('Sign In')
    await user.submit(ada)
    await user.seesRows(ada)

    const other = userOf(await openTab())
    await other.goto(`${server.url}/form`)
    await other.seesRows(ada)
    await other.submit(grace)
    await user.seesRows(ada, grace)
    await user.press(`Delete ${nameOf(ada)}`)
    await other.seesRows(grace)
    await user.press('Undo')
    for (const window of [user, other]) await window.seesRows(ada, grace)

    await user.press(`Copy email of ${nameOf(ada)}`)
    await user.sees('copied.')
    await user.press('Import')
    await user.chooseFile(`Employee Name,Email,Password\r\n${nameOf(edsger)},${edsger.email},secret`)
    await user.press('Import 1 record')
    await user.press('Done')
    for (const window of [user, other]) await window.seesRows(ada, grace, edsger)

    const isStored = () =>
      user.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')")
    await expect.poll(isStored).toBe(true)
    await server.kill()
    await user.evaluate('setTimeout(() => location.reload(), (globalThis.isBefore = 0))')
    await expect.poll(() => user.evaluate('globalThis.isBefore')).toBe(null)
    await user.submit(alan)
    await user.sees(`Not saved: ${nameOf(alan)}`)
    await server.restart()
    for (const window of [user, other]) await window.seesRows(ada, grace, edsger, alan)
  })
}
