import { expect, test } from '../support/e2e/fixture.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })

test('on a touch screen, the search box shows no shortcut', { tag: '@own-server' }, async ({
  recordsPage,
}) => {
  await expect(recordsPage.getByRole('searchbox', { name: 'Search' })).toBeVisible()
  await expect(recordsPage.getByRole('search').getByText('/', { exact: true })).toBeHidden()
})
