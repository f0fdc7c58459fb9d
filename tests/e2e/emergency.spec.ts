// An emergency file as its finder opens it: from a disk, without a network.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Page, TestInfo } from '@playwright/test'
import axe from 'axe-core'
import { createCode, readCode, writeEmergencyFile } from '../../contract/emergency.ts'
import type { EmployeeFields } from '../../contract/employees.ts'
import { allowConsole, expect, test } from '../support/e2e/fixture.ts'
import { ada, edgeCaseEmployees, makeEmployees, named } from '../support/people.ts'
import { startTranslator } from '../support/translator.ts'

const hostile = named('<img src=x onerror=alert(1)>', { password: '</script><b>&amp;' })

async function openOffline(page: Page, file: string) {
  await page.context().setOffline(true)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const url = pathToFileURL(file).href
  await page.goto(url)
  expect(requests).toEqual([url])
}

async function enterCode(page: Page, code: string) {
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
}

test(
  'the exported file opens offline with the code typed in lower case, and is searched, shown and copied',
  { tag: '@main' },
  async ({ records, page, openBrowser }, testInfo) => {
    for (const record of [ada, hostile]) await records.add(record)
    await records.press('Export')
    await page.getByLabel('Emergency file').click()
    await records.press('Show the code')
    const dialog = page.getByRole('dialog', { name: 'Emergency file' })
    const [code = ''] = /\S{5}(-\S{5,6}){4}/.exec((await dialog.textContent()) ?? '') ?? []
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await records.press('Copy code')
    const [download] = await Promise.all([page.waitForEvent('download'), records.press('Download file')])
    const file = testInfo.outputPath(download.suggestedFilename())
    await download.saveAs(file)

    const finder = await openBrowser()
    await finder.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openOffline(finder, file)
    await enterCode(finder, code.slice(0, -1))
    await expect(finder.getByRole('alert')).toHaveText(/This is not a code/)
    await enterCode(finder, createCode())
    await expect(finder.getByRole('alert')).toHaveText(/belongs to another file/)
    await enterCode(finder, code.toLowerCase().replaceAll('-', ''))

    const rows = finder.locator('tbody').getByRole('row')
    await expect(finder.getByText('2 records, as of')).toBeVisible()
    await expect(rows).toHaveCount(2)
    await expect(finder.getByRole('rowheader', { name: hostile.eName })).toBeVisible()
    expect(await finder.locator('img, b').count()).toBe(0)
    const html = await finder.locator('main').innerHTML()
    for (const { password } of [ada, hostile]) expect(html).not.toContain(password)

    await finder.getByLabel('Search').fill('LOVE ada@')
    await expect(rows).toHaveCount(1)
    await expect(finder.getByRole('status')).toHaveText('1 of 2')
    await finder.getByRole('button', { name: `Show Password of ${ada.eName}` }).click()
    await expect(rows).toContainText(ada.password)
    await finder.getByRole('button', { name: `Hide Password of ${ada.eName}` }).click()
    await expect(rows).not.toContainText(ada.password)
    await finder.getByRole('button', { name: `Copy Password of ${ada.eName}` }).click()
    await expect(finder.getByRole('status')).toHaveText(`Password of ${ada.eName} copied.`)
    expect(await finder.evaluate(() => navigator.clipboard.readText())).toBe(ada.password)
    await finder.getByLabel('Search').fill(ada.password)
    await expect(rows).toHaveCount(0)
  },
)

test.describe('a file of the command @own-server', () => {
  const code = createCode()
  const key = readCode(code) ?? new Uint8Array()
  const write = (testInfo: TestInfo, employees: EmployeeFields[]) => {
    const file = testInfo.outputPath('emergency.html')
    const html = writeEmergencyFile(readFileSync('dist/emergency.html', 'utf8'), key, employees)
    writeFileSync(file, html)
    return { file, html }
  }

  test('that was cut or changed says so', async ({ page }, testInfo) => {
    // The browser does not run a script that does not have the hash in the CSP.
    allowConsole(/Content Security Policy/)
    const { file, html } = write(testInfo, [ada])
    const data = html.indexOf('"records">') + '"records">'.length
    const script = html.indexOf('<script')
    const flip = (at: number) => html.slice(0, at) + (html[at] === 'A' ? 'B' : 'A') + html.slice(at + 1)
    const cuts = [script, script + 5_000, data - 30, data, data + 1, data + 99].map((end) =>
      html.slice(0, end),
    )
    const lastCharacter = html.indexOf('</script>', data) - 3
    const changes = [script + 5_000, data, data + 50, lastCharacter].map(flip)
    for (const damaged of [...cuts, ...changes]) {
      writeFileSync(file, damaged)
      await page.goto(pathToFileURL(file).href)
      await expect(page.locator('body')).toContainText('file is incomplete or was changed')
      await expect(page.getByLabel('Code')).toHaveCount(0)
    }
  })

  test('works while the browser translates it, which is not given its values', async ({ page }, testInfo) => {
    const { file } = write(testInfo, [ada, hostile])
    await openOffline(page, file)
    await page.evaluate(startTranslator)
    await enterCode(page, 'wrong')
    await expect(page.getByRole('alert')).toHaveText(/THIS IS NOT A CODE/)
    await enterCode(page, createCode())
    await expect(page.getByRole('alert')).toHaveText(/BELONGS TO ANOTHER FILE/)
    await enterCode(page, code)
    await page.getByLabel('Search').fill('ada')
    await expect(page.getByRole('status')).toHaveText('1 OF 2')
    const row = page.locator('tbody').getByRole('row')
    for (const [action, shown] of [
      ['Show', ada.password],
      ['Hide', '••••••••'],
      ['Show', ada.password],
    ] as const) {
      await page.getByRole('button', { name: `${action} Password of ${ada.eName}` }).click()
      await expect(row).toHaveText(new RegExp(`^${ada.eName}COPY${ada.email}COPY${shown}\\w+COPY$`))
    }
    await page.getByRole('button', { name: `Copy Password of ${ada.eName}` }).click()
    await expect(page.getByRole('status')).toHaveText(
      /^(PASSWORD OF Ada Lovelace COPIED|THE BROWSER DID NOT)/,
    )
  })

  test('prints names and emails whole, hidden passwords hidden, and in a light theme', async ({
    page,
  }, testInfo) => {
    const name = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(5).trim()
    const { file } = write(testInfo, [named(name)])
    await openOffline(page, file)
    await enterCode(page, code)
    const cell = page.getByRole('rowheader').locator('bdi')
    await expect(cell).toHaveText(name)
    const readCutHeight = () => cell.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    expect(await readCutHeight()).toBeGreaterThan(0)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await readCutHeight()).toBe(0)
    await expect(page.getByRole('cell').last().locator('bdi')).toHaveText(/^•+$/)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  })

  test('shows and prints names and emails that would turn themselves round as they were typed', async ({
    page,
  }, testInfo) => {
    const turned = { eName: 'Bob \u202elive', email: '\u202emoc.elpmaxe@eve', password: '\u202eterces' }
    const { file } = write(testInfo, [turned])
    await openOffline(page, file)
    await enterCode(page, code)
    await page.getByRole('button', { name: 'Show Password of Bob live' }).click()
    const values = page.locator('tbody bdi')
    await expect(values).toHaveText(['Bob live', 'moc.elpmaxe@eve', turned.password])
  })

  test('has no accessibility violation and no horizontal scroll bar, in light and dark, and on a phone', async ({
    page,
  }, testInfo) => {
    const { file } = write(testInfo, edgeCaseEmployees)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1200, 320]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 640 })
        await openOffline(page, file)
        const expectAccessible = async () => {
          await page.evaluate(axe.source)
          const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        }
        await enterCode(page, 'wrong')
        await expectAccessible()
        await enterCode(page, code)
        await page.getByRole('button', { name: `Show Password of ${ada.eName}` }).click()
        await expectAccessible()
      }
  })

  test('with many records renders those near the viewport, finds all, and prints all without passwords', async ({
    page,
  }, testInfo) => {
    const { file } = write(testInfo, makeEmployees(2_000))
    await openOffline(page, file)
    await enterCode(page, code)
    const rows = page.locator('tbody').getByRole('row')
    await expect(rows.first()).toBeVisible()
    const count = await rows.count()
    expect(count).toBeLessThanOrEqual(300)
    await expect(async () => {
      await rows.last().scrollIntoViewIfNeeded()
      expect(await rows.count()).toBeGreaterThan(count + 300)
    }).toPass()
    await page.getByLabel('Search').fill('person1999@')
    await expect(rows).toHaveCount(1)
    await page.getByLabel('Search').fill('')
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    expect(await rows.count()).toBe(2_000)
    await expect(page.getByRole('button').first()).toBeHidden()
    expect(await page.locator('main').innerText()).not.toContain('secret-')
  })
})
