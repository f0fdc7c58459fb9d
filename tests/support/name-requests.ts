import { beforeEach } from 'vitest'
import { recentRequests } from './recent-requests.ts'

// A failed expectation, also one in a loop, says what it has compared; this adds what the test has sent last.
beforeEach(({ onTestFailed }) => {
  recentRequests.length = 0
  onTestFailed(({ task }) => {
    const [error] = task.result?.errors ?? []
    if (error && recentRequests.length > 0)
      error.message += `\nThe last requests:\n${recentRequests.join('\n')}`
  })
})
