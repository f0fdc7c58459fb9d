import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { IdentityPolicy } from '../../contract/accounts.ts'
import type { TeamService } from '../../web/backends/ports.ts'
import { serviceError } from '../support/memory-services.ts'
import { account, ada, grace } from '../support/people.ts'
import { fillAccount, openPage, openRecords, signIn, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

const teamOf = ({ colleague }: Pick<TestPage, 'colleague'>) => colleague.identity.team as TeamService
const status = (text: string) => page.getByRole('status').filter({ hasText: text })
const email = () => page.getByLabelText('Email')
const entries = (list: string) => ui.dialog().getByRole('list', { name: list }).getByRole('listitem')
const invitations = () => entries('Open invitations')
const colleagues = () => entries('Colleagues')
const removed = () => entries('Removed')
const pressFor = (name: string) => ui.dialog().getByRole('button', { name, exact: true }).click()
/** Checks the screen of a link that can't be used, and leaves it. */
async function expectUnusable() {
  const sentence = page.getByText(
    'It has expired or was used. Ask a colleague or your administrator for a new one.',
  )
  await expect.element(sentence).toBeVisible()
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument()
  const link = page.getByRole('link', { name: 'Sign in' })
  await expect.element(link).toHaveFocus()
  await link.click()
}
const expectNotIn = (token: string, ...texts: unknown[]) => {
  for (const text of texts) expect(JSON.stringify(text)).not.toContain(token)
}

describe('the sign-up screen, where only invited people may sign up', () => {
  /** Opens a link that a colleague has made. */
  async function openInvited(email?: string, toHash = (token: string) => `#invite=${token}`) {
    const testPage = await openPage('/signin')
    testPage.backend.settings.signUp = 'invited'
    const team = teamOf(testPage)
    const invitation = await team.createInvitation(email)
    await testPage.reload(`/?q=x${toHash(invitation.token)}`)
    // The screen has taken the token.
    await expect.poll(() => location.href).not.toContain(invitation.token)
    return { ...testPage, token: invitation.token, revoke: () => team.revokeInvitation(invitation.id) }
  }

  test('removes the token from the address and the history at once, and keeps it over a reload', {
    tags: 'main',
  }, async () => {
    const length = history.length
    const { token, reload } = await openInvited()
    await expect.element(status('You’re invited.')).toBeVisible()
    expectNotIn(token, location.href, history.state)
    expect([location.search, history.length]).toEqual(['?q=x', length])
    await reload()
    await expect.element(status('You’re invited.')).toBeVisible()
    await fillAccount()
    await ui.button('Sign Up').click()
    await ui.expectPath('/signin')
    expectNotIn(token, sessionStorage)
  })

  test.each<(token: string) => string>([
    (token) => `#invite=${token}.`,
    (token) => `#invite=${token}%3E,`,
    (token) => `#invite%3D${token}`,
    (token) => `%23invite=${token}&data=05%7C02&reserved=0`,
    (token) => `%2523invite%253D${token}`,
  ])('opens a link that a mail program has changed: %s', async (toHash) => {
    await openInvited(undefined, toHash)
    await expect.element(status('You’re invited.')).toBeVisible()
  })

  test.each(['/%23invite=', '/#invite=abc', '/signin%23reset=abc'])(
    'says what to do if a part of a link is missing: %s',
    async (address) => {
      const testPage = await openPage('/signin')
      testPage.backend.settings.signUp = 'invited'
      await testPage.reload(address)
      await expect.element(page.getByRole('heading', { name: 'This Link Is Incomplete' })).toBeVisible()
      await expect.element(page.getByText('Part of the link is missing.')).toBeVisible()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await ui.expectPath('/signin')
    },
  )

  test('fills in the email that the link is for, and leaves the password to be typed', {
    tags: 'main',
  }, async () => {
    await openInvited('zoe@example.com')
    await expect.element(email()).toHaveValue('zoe@example.com')
    await expect.element(email()).toHaveAttribute('readonly')
    await expect.element(ui.accountPassword()).toHaveFocus()
    await userEvent.keyboard(`${account.password}{Enter}`)
    await ui.expectPath('/signin')
    await expect.element(email()).toHaveValue('zoe@example.com')
  })

  test('says that sign-up was closed; without a form that the link has expired or was used, and whom to ask', async () => {
    const { backend, revoke, reload } = await openInvited('zoe@example.com')
    backend.settings.signUp = 'closed'
    await reload()
    await expect.element(status('Sign-up is closed.')).toBeVisible()
    await expect.element(email()).toHaveValue('')
    backend.settings.signUp = 'invited'
    await revoke()
    await reload()
    await expectUnusable()
    await ui.expectPath('/signin')
    await reload('/')
    await expect.element(status('You need an invitation.')).toBeVisible()
  })

  test('keeps what was typed if the link is used by somebody else meanwhile', async () => {
    allowConsole(/Sign-up failed/)
    const { revoke } = await openInvited()
    await fillAccount()
    await revoke()
    await ui.button('Sign Up').click()
    await expect.element(ui.alert()).toMatchTextContent('This link has expired or was used.')
    await expect.element(ui.accountPassword()).toHaveValue(account.password)
  })
})

describe('the invitations in the dialog Team', () => {
  async function openDialog(signUp: IdentityPolicy['signUp'] = 'invited', ...invited: string[]) {
    const testPage = await openRecords()
    testPage.backend.settings.signUp = signUp
    for (const email of invited) await teamOf(testPage).createInvitation(email || undefined)
    await ui.chooseInMenu('Team')
    await expect.element(ui.dialog('Team')).toBeVisible()
    return testPage
  }

  test('are not offered while the lists cannot be read, which is told once', async () => {
    allowConsole(/ were not read/)
    const testPage = await openRecords()
    testPage.backend.settings.signUp = 'invited'
    const stopFailing = testPage.client.failCalls(serviceError('storage-unavailable'), ['team'])
    await ui.chooseInMenu('Team')
    const heading = ui.dialog().getByRole('heading', { name: 'Invite a colleague' })
    await expect.element(heading).not.toBeInTheDocument()
    const alerts = ui.dialog().getByRole('alert').filter({ hasText: 'isn’t available right now' })
    await expect.element(alerts).toHaveLength(1)
    stopFailing()
    await ui.button('Try again').click()
    await expect.element(colleagues().first()).toBeVisible()
    await expect.element(heading).toBeVisible()
  })

  test('makes a link for one email, copies it and shows it once', { tags: 'main' }, async () => {
    const { backend } = await openDialog()
    await ui.dialog().getByLabelText('Their email').fill('zoe@example.com')
    await userEvent.keyboard('{Enter}')
    const copy = ui.dialog().getByRole('button', { name: 'Copy link' })
    await expect.element(copy).toHaveFocus()
    const [token] = [...backend.links.invitations.keys()]
    const link = `${location.origin}/#invite=${token}`
    await expect.element(ui.dialog().getByLabelText('Link', { exact: true })).toHaveValue(link)
    expectNotIn(token ?? '', document.body.outerHTML)
    await copy.click()
    await expect.element(ui.dialog().getByText(/^Copied\.|by hand/)).toBeVisible()
    await ui.expectTexts(invitations(), [/^zoe@example\.com.*Invited by .*expires in 7 days/])
    await userEvent.keyboard('{Escape}')
    await ui.chooseInMenu('Team')
    await expect.element(invitations()).toHaveLength(1)
    await expect.element(ui.dialog().getByLabelText('Link', { exact: true })).not.toBeInTheDocument()
  })

  test('lists and revokes the invitations of everyone', async () => {
    await openDialog('invited', '', 'bo@example.com')
    await ui.expectTexts(invitations(), [/^Anyone.*Invited by colleague@example\.com/, /^bo@example\.com/])
    await invitations().first().getByRole('button', { name: 'Revoke' }).click()
    await expect.element(ui.dialog().getByText('Invitation revoked.')).toBeVisible()
    await ui.expectTexts(invitations(), [/Invitation revoked$/, /^bo@example\.com/])
  })

  test('keeps the typed email if no link could be made, and one that is typed while a link is made', async () => {
    allowConsole(/The invitations were not read or changed/)
    const { client } = await openDialog()
    const email = ui.dialog().getByLabelText('Their email')
    await email.fill('zoe@example.com')
    const stopFailing = client.failCalls(serviceError('too-many-invitations'), ['team'])
    await ui.dialog().getByRole('button', { name: 'Make a link' }).click()
    await expect.element(ui.dialog().getByText('Too many invitations are open.')).toBeVisible()
    await expect.element(email).toHaveValue('zoe@example.com')
    stopFailing()
    const release = client.holdCalls(['team'])
    await ui.dialog().getByRole('button', { name: 'Make a link' }).click()
    await email.fill('bo@example.com')
    release()
    await ui.expectTexts(invitations(), [/^zoe@example\.com/])
    await expect.element(email).toHaveValue('bo@example.com')
  })

  test.each([
    ['open', 'Anyone with this link can create an account.', [`${location.origin}/`]],
    ['closed', 'Sign-up is closed.', []],
  ] as const)('says how else colleagues get an account: %s', async (signUp, text, links) => {
    await openDialog(signUp)
    await expect.element(ui.dialog().getByText(text)).toBeVisible()
    const fields = ui.dialog().getByRole('textbox')
    await expect.element(fields).toHaveLength(links.length)
    for (const link of links) {
      await expect.element(fields).toHaveValue(link)
      await ui.dialog().getByRole('button', { name: 'Copy link' }).click()
      await expect.element(ui.dialog().getByText('Copied. Send it to your colleague.')).toBeVisible()
    }
  })
})

describe('colleagues', () => {
  test('the list of colleagues tells since when each has an account, who invited it, and when it was last seen', {
    tags: 'main',
  }, async () => {
    const { colleague, backend } = await openRecords()
    backend.settings.signUp = 'invited'
    for (const invited of ['zoe@example.com', undefined]) {
      const { token } = await teamOf({ colleague }).createInvitation(invited)
      await colleague.identity.createAccount(invited ?? 'stranger@example.com', account.password, token)
    }
    await ui.chooseInMenu('Team')
    await expect.element(ui.dialog().getByText('4 accounts can read and change every record.')).toBeVisible()
    await ui.expectTexts(colleagues(), [
      /^colleague@example\.com.*Active just now/,
      new RegExp(`^${account.email} \\(you\\)`),
      /^zoe@example\.com.*Never signed in/,
      /^stranger@example\.com/,
    ])
    const invited = 'Invited by colleague@example.com'
    for (const [email, text] of [
      ['zoe@example.com', invited],
      ['stranger@example.com', `${invited}, with a link for any email`],
    ] as const) {
      await pressFor(`More about ${email}`)
      await expect.element(ui.dialog().getByText(/^Joined .* 20\d\d$/)).toBeVisible()
      await expect.element(ui.dialog().getByText(text, { exact: true })).toBeVisible()
    }
  })

  test('says which accounts have emails that look the same', async () => {
    const { client } = await openRecords()
    const [id, createdAt] = ['1', new Date().toISOString()]
    const lookAlikes = [
      { id, createdAt, email: account.email, looksLike: 'ada@examp1e.com' },
      { id: '2', createdAt, removedAt: createdAt, email: 'ada@examp1e.com', looksLike: account.email },
    ]
    vi.spyOn(client.identity.team as TeamService, 'listColleagues').mockResolvedValue(lookAlikes)
    await ui.chooseInMenu('Team')
    await ui.expectTexts(colleagues(), [
      new RegExp(`^${account.email} \\(you\\).*Looks like ada@examp1e.com`),
    ])
    await ui.expectTexts(removed(), [new RegExp(`^ada@examp1e.com.*Looks like ${account.email}`)])
  })

  const theirs = 'colleague@example.com'
  const theirPassword = 'another long one'
  const confirm = async (password: string) => {
    await expect.element(ui.dialog().getByLabelText('Your password', { exact: true })).toHaveFocus()
    await ui.dialog().getByLabelText('Your password', { exact: true }).fill(password)
    await userEvent.keyboard('{Enter}')
  }

  test('removing a colleague asks for one’s password and opens what must change, with their record to delete; they can be let back in', {
    tags: 'main',
  }, async () => {
    allowConsole(/Nothing was changed/)
    const { colleague, stored } = await openRecords([ada, { ...grace, email: theirs.toUpperCase() }])
    await ui.chooseInMenu('Team')
    await expect.element(colleagues().nth(1)).not.toMatchTextContent('Remove')
    await pressFor(`More about ${theirs}`)
    await pressFor(`Remove ${theirs}…`)
    await ui.dialog().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(ui.dialog().getByRole('button', { name: `Remove ${theirs}…` })).toHaveFocus()
    await pressFor(`Remove ${theirs}…`)
    await expect
      .element(ui.dialog().getByRole('button', { name: `Remove ${theirs}`, exact: true }))
      .toHaveAttribute('type', 'submit')
    await confirm('wrong')
    await expect.element(ui.dialog().getByRole('alert').filter({ hasText: 'password' })).toBeVisible()
    await confirm(account.password)
    const banner = page.getByRole('region', { name: 'What must we change?' })
    await expect.element(banner).toMatchTextContent(`${theirs} knew 2 passwords`)
    await expect(colleague.documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
    await banner.getByRole('button', { name: 'Delete the record of Grace Hopper' }).click()
    await ui.expectNames('Ada Lovelace')
    expect(stored()).toEqual([ada])
    await ui.chooseInMenu('Team')
    await ui.expectTexts(removed(), [`${theirs}Removed just now`])
    await pressFor(`More about ${theirs}`)
    await ui.expectTexts(removed(), [new RegExp(`Removed just now by ${account.email}`)])
    const signInAgain = () => colleague.identity.signIn(theirs, theirPassword)
    await expect(signInAgain()).rejects.toMatchObject({ code: 'account-removed' })
    await pressFor(`Let ${theirs} back in`)
    await expect.element(ui.dialog().getByText(`${theirs} can sign in again`)).toBeVisible()
    await expect.element(colleagues()).toHaveLength(2)
    await signInAgain()
  })

  test('the button that removes a colleague is red, also under the pointer', async () => {
    await openRecords()
    await ui.chooseInMenu('Team')
    await pressFor(`More about ${theirs}`)
    await pressFor(`Remove ${theirs}…`)
    const button = ui.dialog().getByRole('button', { name: `Remove ${theirs}`, exact: true })
    await button.hover()
    function colorUnderPointer() {
      const element = button.element()
      if (!element.matches(':hover')) return ''
      for (const animation of element.getAnimations()) animation.finish()
      return getComputedStyle(element).backgroundColor
    }
    // The second number is negative in green.
    await expect.poll(colorUnderPointer).toMatch(/^oklab\([\d.]+ 0\.[\d.]+ /)
  })

  test.each([1280, 390, 320])(
    'opening an account moves no button, and the longest email stays within its form at %i px',
    async (width) => {
      await page.viewport(width, 900)
      const { client } = await openRecords()
      const long = 'carol.with.a.long.address@subsidiary.of.northwind-logistics.example'
      const createdAt = new Date().toISOString()
      vi.spyOn(client.identity.team as TeamService, 'listColleagues').mockResolvedValue([
        { id: '1', createdAt, email: account.email },
        { id: '2', createdAt, email: long, lastSeenAt: createdAt },
      ])
      await ui.chooseInMenu('Team')
      const more = ui.dialog().getByRole('button', { name: `More about ${long}` })
      await expect.element(more).toBeVisible()
      const { top } = more.element().getBoundingClientRect()
      await ui.press(more, '{Enter}')
      const remove = ui.dialog().getByRole('button', { name: `Remove ${long}…` })
      await expect.element(remove).toBeVisible()
      if (width > 600) expect(more.element().getBoundingClientRect().top).toBe(top)
      await ui.press(remove, '{Enter}')
      const field = ui.dialog().getByLabelText('Your password', { exact: true })
      await expect.element(field).toHaveFocus()
      const form = field.element().closest('form') as HTMLFormElement
      const end = form.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(form).paddingRight)
      for (const part of form.querySelectorAll('p, input:not(.visually-hidden), button'))
        expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(end + 0.5)
      const { scrollWidth, clientWidth } = ui.dialog().element()
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
    },
  )

  test('one account is open at a time, so that one form asks for one’s password', async () => {
    const { colleague } = await openRecords()
    await colleague.identity.createAccount('zoe@example.com', account.password)
    await ui.chooseInMenu('Team')
    for (const email of [theirs, 'zoe@example.com']) {
      await pressFor(`More about ${email}`)
      await pressFor(`Remove ${email}…`)
      await expect.element(ui.dialog().getByLabelText('Your password', { exact: true })).toHaveLength(1)
      await expect.element(ui.dialog().getByText(`${email} is signed out everywhere`)).toBeVisible()
    }
  })

  test('making a reset link asks for one’s password, and the account’s owner is told at the next sign-in until dismissed', {
    tags: 'main',
  }, async () => {
    const testPage = await openRecords()
    const team = teamOf(testPage)
    await ui.chooseInMenu('Team')
    await pressFor(`More about ${theirs}`)
    await pressFor(`Make a reset link for ${theirs}`)
    await confirm(account.password)
    await expect.element(colleagues().getByRole('button', { name: 'Copy link' })).toHaveFocus()
    const [token] = [...testPage.backend.links.resets.keys()]
    const link = `${location.origin}/signin#reset=${token}`
    await expect.element(colleagues().getByLabelText('Link', { exact: true })).toHaveValue(link)
    expectNotIn(token ?? '', document.body.outerHTML)
    await userEvent.keyboard('{Escape}')
    const own = (await team.listColleagues()).find((each) => each.email === account.email)
    await team.createPasswordReset(own?.id ?? '', theirPassword)
    await ui.button('Logout').click()
    await ui.expectPath('/')
    await signIn()
    await expect.element(status(`${theirs} made a link to reset your password just now.`)).toBeVisible()
    await ui.button('OK').click()
    await expect.element(page.getByText('made a link')).not.toBeInTheDocument()
    expectNotIn('resetLink', localStorage, JSON.stringify(history.state))
  })
})

const newPassword = 'a new and good one'

describe('a link that sets a new password', () => {
  /** Opens a link for `account` in a browser that stores this user, or none. */
  async function openLink({ isSignedIn = false } = {}) {
    const testPage = await openRecords()
    if (!isSignedIn) localStorage.clear()
    const link = `/signin#reset=${testPage.backend.makeResetLink(account.email)}`
    await testPage.reload(link)
    await expect.element(page.getByRole('heading', { name: 'Set a New Password' })).toBeVisible()
    return { ...testPage, link }
  }

  test('sets it in the field that has the focus, for an account that is then signed out here', {
    tags: 'main',
  }, async () => {
    await openLink({ isSignedIn: true })
    await expect.element(ui.accountPassword()).toHaveFocus()
    await userEvent.keyboard(`${newPassword}{Enter}`)
    await expect.element(status('Your new password is set. Please sign in.')).toBeVisible()
    await expect.element(email()).toHaveValue(account.email)
    await expect.element(page.getByText('Signed in as')).not.toBeInTheDocument()
  })

  test('survives a reload, keeps a password that is refused, and can be left for the sign-in screen', async () => {
    allowConsole(/The password was not set/)
    const { reload } = await openLink()
    await reload('/signin')
    await expect.element(email()).toHaveValue(account.email)
    await ui.accountPassword().fill('short')
    await ui.button('Set Password').click()
    await expect.element(ui.alert()).toMatchTextContent(/8 .*128 characters/)
    await expect.element(ui.accountPassword()).toHaveValue('short')
    await ui.button('Sign in instead').click()
    await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  test('that has expired or was used says so without a form, and whom to ask', async () => {
    const testPage = await openLink()
    testPage.backend.links.resets.clear()
    await testPage.reload(testPage.link)
    await expectUnusable()
    await expect.element(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  test('can be used after the connection was lost', async () => {
    const { client, reload } = await openLink()
    await client.cutNetwork()
    await reload('/signin')
    await expect.element(status('Reload the page to try again.')).toBeVisible()
    await client.restoreNetwork()
    await reload('/signin')
    await expect.element(email()).toHaveValue(account.email)
  })
})
