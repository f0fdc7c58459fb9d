// The progress of a long list, on the screen and for screen readers.
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LoadProgress } from '../../web/records/search/load-progress.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test('is shown at once, announced every ten seconds, and its end is announced', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const announced = page.getByRole('status')
  const view = await render(<LoadProgress count={0} total={undefined} isLoaded={false} />)
  await view.rerender(<LoadProgress count={100} total={100_000} isLoaded={false} />)
  await expect.element(page.getByText('100 of 100,000 loaded')).toBeVisible()
  await expect.element(announced).toBeEmptyDOMElement()
  await view.rerender(<LoadProgress count={12_400} total={100_000} isLoaded={false} />)
  vi.advanceTimersByTime(10_000)
  await expect.element(announced).toMatchTextContent('12,400 of 100,000 loaded')
  await view.rerender(<LoadProgress count={13_000} total={100_000} isLoaded={false} />)
  await expect.element(announced).toMatchTextContent('12,400 of 100,000 loaded')
  await view.rerender(<LoadProgress count={100_000} total={100_000} isLoaded={true} />)
  await expect.element(announced).toMatchTextContent('All records loaded.')
})

test('of a list that arrives quickly is not announced', async () => {
  const view = await render(<LoadProgress count={100} total={undefined} isLoaded={false} />)
  await expect.element(page.getByText('100 loaded')).toBeVisible()
  await view.rerender(<LoadProgress count={3000} total={undefined} isLoaded={true} />)
  await expect.element(page.getByText('loaded')).not.toBeInTheDocument()
})
