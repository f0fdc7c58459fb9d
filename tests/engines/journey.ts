import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createCode, readCode, writeEmergencyFile } from '../../contract/emergency.ts'
import { fieldNames, fieldOf, fieldRules } from '../../contract/employees.ts'
import { cleanUpAfterTest, createFolder } from '../support/cleanup.ts'
import { startServer } from '../support/e2e/backend.ts'
import { minimalEnvironment } from '../support/environment.ts'
import { hostileFiles } from '../support/hostile-files.ts'
import { account, ada, alan, grace, nameOf } from '../support/people.ts'
import { sample } from '../support/sample.ts'
import { startSsoServer } from '../support/sso/server.ts'
import { timeouts } from '../support/timeouts.ts'

/** A window of a browser. All windows of a browser share cookies and storage. */
interface Window {
  goto(url: string): Promise<unknown>
  /** Returns the text that the promise results in. */
  evaluate(promise: string): Promise<string>
  /** Performs actions as WebDriver defines them. */
  perform(actions: object[]): Promise<unknown>
}

export type OpenWindow = () => Promise<Window>

/** Starts a program until the end of the test. Returns what `pattern` captured in the first line that matches. */
export async function startProgram(command: string[], environment: NodeJS.ProcessEnv, pattern?: RegExp) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { ...minimalEnvironment(), ...environment } })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.on('error', reject).on('exit', () => reject(new Error(`${program} has ended.`)))
  if (!pattern) child.on('spawn', () => resolve(''))
  for (const output of [child.stdout, child.stderr])
    createInterface(output).on('line', (line) => {
      const [, found] = pattern?.exec(line) ?? []
      if (found) resolve(found)
    })
  cleanUpAfterTest(() => child.kill('SIGKILL') && once(child, 'exit'))
  return promise
}

/** What a person does with the keyboard, by the names that screen readers say. */
function personAt(window: Window) {
  async function run<Args extends unknown[], Result>(action: (...args: Args) => Result, ...args: Args) {
    const result = `Promise.resolve((${action})(...${JSON.stringify(args)}))`
    return JSON.parse(await window.evaluate(`${result}.then((value) => JSON.stringify(value ?? null))`))
  }
  const poll = <Args extends unknown[]>(action: (...args: Args) => unknown, ...args: Args) =>
    expect.poll(() => run(action, ...args), { message: args.join(), timeout: 2 * timeouts.conditionMs })

  async function type(name: string, text: string) {
    await poll((label) => {
      const controls = document.querySelectorAll<HTMLInputElement | HTMLButtonElement>('button, input')
      const nameOf = ({ ariaLabel, labels, textContent }: (typeof controls)[0]) =>
        (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim()
      const control = [...controls].find((control) => control.checkVisibility() && nameOf(control) === label)
      control?.focus()
      if (control instanceof HTMLInputElement) control.select()
      return control !== undefined && control === document.activeElement
    }, name).toBe(true)
    const keys = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))
    await window.perform([{ type: 'key', id: 'keyboard', actions: keys }])
  }

  const press = (name: string) => type(name, '\uE006')

  /** Closes the dialog by Escape: it may move the focus at the same moment, to what it has to show. */
  async function closeDialog() {
    const keys = ['keyDown', 'keyUp'].map((type) => ({ type, value: '\uE00C' }))
    await window.perform([{ type: 'key', id: 'keyboard', actions: keys }])
    await poll(() => document.querySelector('dialog[open]')).toBeNull()
  }

  /** Drops a file on the page. Resolves to what the import makes of it: a preview, or the sentence that it shows. */
  async function dropFile({ name, bytes }: { name: string; bytes: Uint8Array }) {
    await poll(() => document.querySelector('dialog[open]')).toBeNull()
    const drop = (name: string, content: string) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], name))
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
      return event.defaultPrevented
    }
    const content = Buffer.from(bytes).toString('base64')
    await expect.poll(() => run(drop, name, content), { timeout: 2 * timeouts.conditionMs }).toBe(true)
    const findOutcome = () =>
      document.querySelector('dialog[open] [role=alert]')?.textContent ||
      document.querySelector('dialog[open] [aria-label="What would be imported"]')?.ariaLabel
    // Ends by itself: the page stops a reader that is silent for long.
    const isRead = { timeout: timeouts.longTestMs, interval: 100 }
    await expect.poll(() => run(findOutcome), isRead).not.toBeNull()
    return run(findOutcome)
  }

  async function fill(values: Record<string, string>, action: string) {
    for (const [name, value] of Object.entries(values)) await type(name, value)
    await press(action)
  }
  return {
    goto: window.goto,
    type,
    press,
    closeDialog,
    fill,
    dropFile,
    add: (record: typeof ada) =>
      fill(
        Object.fromEntries(fieldNames.map((name) => [fieldRules[name].label, fieldOf(record, name)])),
        'Submit',
      ),
    sees: (text: string) => poll((wanted) => document.body.innerText.includes(wanted), text).toBe(true),
    seesRows: (...records: (typeof ada)[]) =>
      poll(() => [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent)).toEqual(
        records.map(nameOf),
      ),
    // Its state may stay "installing" in WebKit. It takes control once it has stored the files.
    isReadyForOffline: () => poll(() => navigator.serviceWorker.controller !== null).toBe(true),
  }
}

/** These browsers draw without a graphics card, and are started anew for each test. */
const timeout = 4 * timeouts.testMs

/** Tests in one browser what browsers do in different ways. tests/e2e tests all else in Chromium. */
export function testJourney(start: () => Promise<OpenWindow>): void {
  it('works in two windows: signs up, adds, deletes, undoes, copies, opens offline and sends later', {
    timeout,
  }, async () => {
    const server = await startServer()
    cleanUpAfterTest(server.stop)
    const openWindow = await start()
    const person = personAt(await openWindow())
    await person.goto(server.url)
    const signIn = { Email: account.email, Password: account.password }
    await person.fill(signIn, 'Sign Up')
    await person.sees('Welcome Back')
    await person.fill(signIn, 'Sign In')
    await person.add(ada)
    await person.seesRows(ada)

    const other = personAt(await openWindow())
    await other.goto(`${server.url}/form`)
    await other.seesRows(ada)
    await other.add(grace)
    await person.seesRows(ada, grace)
    await person.press(`Delete ${nameOf(ada)}`)
    await other.seesRows(grace)
    await person.press('Undo delete')
    for (const each of [person, other]) await each.seesRows(ada, grace)
    await person.press(`Copy email of ${nameOf(ada)}`)
    await person.sees('copied.')

    await person.isReadyForOffline()
    await server.kill()
    await person.goto(`${server.url}/form`)
    await person.add(alan)
    await person.sees(`Will be saved when you reconnect: ${nameOf(alan)}`)
    await server.restart()
    for (const each of [person, other]) await each.seesRows(ada, grace, alan)
  })

  it('reads lists that were made to harm it, or says why not, and works on', {
    timeout: timeouts.longTestMs,
  }, async () => {
    const server = await startServer()
    cleanUpAfterTest(server.stop)
    const person = personAt(await (await start())())
    await person.goto(server.url)
    const signIn = { Email: account.email, Password: account.password }
    await person.fill(signIn, 'Sign Up')
    await person.sees('Welcome Back')
    await person.fill(signIn, 'Sign In')
    await person.sees('Logged in as')
    // The sentence comes from a reader that is loaded on demand.
    const page = { name: 'list.html', bytes: Buffer.from('<html><table></table>') }
    expect(await person.dropFile(page)).toBe('This is a web page without a table.')
    await person.closeDialog()
    for (const [what, file] of sample(hostileFiles, 3)) {
      const outcome = await person.dropFile(file)
      // What is told of a reader that has failed.
      expect(outcome, what).not.toContain('This list can’t be read')
      await person.closeDialog()
    }
    await person.add(ada)
    await person.seesRows(ada)
  })

  it('signs in at a provider on another site, and confirms there that it is the owner', {
    timeout,
  }, async () => {
    const server = await startSsoServer([{ sub: 'ada-1', email: account.email, email_verified: true }])
    cleanUpAfterTest(server.stop)
    const person = personAt(await (await start())())
    const identify = () => person.fill({ 'Who are you?': 'ada-1' }, 'Continue')
    await person.goto(`${server.url}/signin`)
    await person.press('Sign in with Example Login')
    await identify()
    await person.add(ada)
    await person.seesRows(ada)
    await person.goto(`${server.url}/form#change-password`)
    await person.press('Confirm with Example Login')
    await identify()
    await person.sees('You’ve just confirmed that it’s you.')
    await person.seesRows(ada)
  })

  it('opens an emergency file from a disk, searches, shows and copies', { timeout }, async () => {
    const [code, file] = [createCode(), join(createFolder(), 'emergency.html')]
    const key = readCode(code) ?? new Uint8Array()
    writeFileSync(file, writeEmergencyFile(readFileSync('dist/emergency.html', 'utf8'), key, [ada, grace]))
    const person = personAt(await (await start())())
    await person.goto(pathToFileURL(file).href)
    await person.fill({ Code: createCode() }, 'Open')
    await person.sees('This code belongs to another file.')
    await person.fill({ Code: code.toLowerCase().replaceAll('-', '') }, 'Open')
    await person.sees('2 records')
    await person.press(`Show Password of ${nameOf(ada)}`)
    await person.sees(ada.password)
    await person.press(`Copy Password of ${nameOf(ada)}`)
    await person.sees(`Password of ${nameOf(ada)} copied.`)
    await person.type('Search', 'HOPPER')
    await person.sees('1 of 2')
  })
}
