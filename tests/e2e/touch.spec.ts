import { expect, test } from '../support/e2e/fixture.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })

test('the search box shows no shortcut on a touch screen', async ({ recordsPage }) => {
  await expect(recordsPage.getByRole('searchbox', { name: 'Search' })).toBeVisible()
  await expect(recordsPage.getByRole('search').getByText('/', { exact: true })).toBeHidden()
})
