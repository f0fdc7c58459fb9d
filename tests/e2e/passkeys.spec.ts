// Passkeys in a real browser, with its virtual authenticator, against the real server.
import type { Page, Route } from '@playwright/test'
import { challengeTtlMs, passkeyPaths } from '../../contract/passkeys.ts'
import { allowConsole, expect, signIn, signUp, testWithOwnServer as test } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { account } from '../support/people.ts'

// Browsers allow no passkeys at an IP address.
test.use({ baseURL: async ({ server }, use) => use(server.url.replace('127.0.0.1', 'localhost')) })

/** Plugs an authenticator in, whose user agrees to everything at once. */
async function plugIn(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  const list = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    countPasskeys: async () => (await list()).length,
    /** Makes of its passkey one that has signed less often, or whose next user is not verified. */
    async change({ signCount, isUserVerified = true }: { signCount?: number; isUserVerified?: boolean }) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
      const [credential] = await list()
      if (!credential || signCount === undefined) return
      const { credentialId } = credential
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
      await session.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount },
      })
    },
    setPresent: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

/**
 * Opens /signin, and waits until the browser has been asked for suggestions, which no user answers. The user is present from the
 * next request for a challenge on: the authenticator never answers what it was asked before.
 */
async function openWithSuggestions(page: Page, device: Awaited<ReturnType<typeof plugIn>>) {
  await device.setPresent(false)
  await page.addInitScript(() => {
    const { credentials } = navigator
    const get = credentials.get.bind(credentials)
    credentials.get = (options) => {
      document.documentElement.dataset.asked = 'true'
      return get(options)
    }
  })
  await page.goto('/signin')
  await expect(page.locator('html[data-asked]')).toBeVisible()
  const appear = async (route: Route) => {
    await device.setPresent(true)
    await route.continue()
  }
  await page.route(`**${passkeyPaths.sessionOptions}`, appear, { times: 1 })
}

async function openList(page: Page) {
  await recordsIn(page).chooseInMenu('Sessions and passkeys')
  const list = page.getByRole('region', { name: 'Passkeys' })
  await expect(list.getByRole('button', { name: 'Add a passkey' })).toBeVisible()
  return list
}

/** Opens the list of a new account, with a new authenticator. */
async function openFirstList(page: Page) {
  await signUp(page)
  await signIn(page)
  return { device: await plugIn(page), list: await openList(page) }
}

async function addPasskey(page: Page, name: string) {
  const list = page.getByRole('region', { name: 'Passkeys' })
  await list.getByRole('button', { name: 'Add a passkey' }).click()
  await list.getByLabel('Name', { exact: true }).fill(name)
  await list.getByLabel('Your password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
}

async function signOut(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
}

test('a passkey is added, signs in by the suggestion and by the button, is removed, and then signs in no more', {
  tag: '@main',
}, async ({ page }) => {
  allowConsole(/401/, /Nothing was changed/, /Sign-in failed/)
  const { device, list } = await openFirstList(page)
  await addPasskey(page, 'Laptop')
  await expect(list.getByRole('listitem')).toHaveText(/^Laptop.*not used yet/)
  expect(await device.countPasskeys()).toBe(1)
  await addPasskey(page, 'Laptop again')
  await expect(list.getByText('This device has a passkey for your account already.')).toBeVisible()
  await signOut(page)

  await openWithSuggestions(page, device)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(recordsIn(page).form).toBeVisible()
  await expect(page.getByText(`Logged in as: ${account.email}`)).toBeVisible()
  await signOut(page)

  // The authenticator chooses the first suggestion.
  await page.goto('/signin')
  await expect(recordsIn(page).form).toBeVisible()
  const used = await openList(page)
  await expect(used.getByRole('listitem')).toHaveText(/^Laptop.*used (just now|\d minutes? ago)/)
  await used.getByRole('button', { name: 'Remove the passkey Laptop' }).click()
  await expect(used).toContainText('Passkey “Laptop” removed.')
  await signOut(page)
  // The authenticator would agree again at once.
  await page.goto('/signin')
  await expect(page.getByRole('alert')).toHaveText(/^Error: This passkey isn’t accepted any more\./)
  await device.setPresent(false)
  await signIn(page)
})

/** Signs in by a script of the page, which sends the answer twice. Returns the statuses of both responses. */
const signInTwice = (page: Page, changes: { userVerification?: string } = {}) =>
  page.evaluate(
    async ({ passkeyPaths, changes }) => {
      const post = (path: string, body?: object) =>
        fetch(path, {
          method: 'POST',
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
      const options = { ...(await (await post(passkeyPaths.sessionOptions)).json()), ...changes }
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const credential = await navigator.credentials.get({ publicKey })
      const response = (credential as PublicKeyCredential).toJSON()
      const statuses: number[] = []
      for (let i = 0; i < 2; i++) statuses.push((await post(passkeyPaths.session, { response })).status)
      return statuses
    },
    { passkeyPaths: { sessionOptions: passkeyPaths.sessionOptions, session: passkeyPaths.session }, changes },
  )

test('an answer that comes again, from a copied passkey, or without a verified user does not sign in', async ({
  page,
}) => {
  allowConsole(/401/)
  const { device, list } = await openFirstList(page)
  await addPasskey(page, 'Laptop')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await signOut(page)
  expect(await signInTwice(page)).toEqual([200, 401])
  await device.change({ isUserVerified: false })
  expect(await signInTwice(page, { userVerification: 'discouraged' })).toEqual([401, 401])
  await device.change({ signCount: 0 })
  expect(await signInTwice(page)).toEqual([401, 401])
  await device.change({ signCount: 100 })
  expect(await signInTwice(page)).toEqual([200, 401])
})

test('suggestions outlast the time in which a passkey must answer', async ({ page }) => {
  const { device, list } = await openFirstList(page)
  await addPasskey(page, 'Laptop')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await signOut(page)
  await page.clock.install()
  await openWithSuggestions(page, device)
  await page.clock.fastForward(challengeTtlMs)
  await expect(recordsIn(page).form).toBeVisible()
})
