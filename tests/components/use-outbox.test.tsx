import { createStore, keys } from 'idb-keyval'
import { StrictMode } from 'react'
import { Provider } from 'react-redux'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import type { DocumentStore } from '../../web/backends/ports.ts'
import { emptyDraft } from '../../web/records/outbox/draft.ts'
import { openEncryptedStore } from '../../web/records/outbox/encrypted-store.ts'
import type { Tab } from '../../web/records/outbox/tab-lock.ts'
import { useOutbox } from '../../web/records/outbox/use-outbox.ts'
import { makeStore } from '../../web/store.ts'

const uid = 'someone'
const tab: Tab = { id: 'tab', getOtherTabIds: async () => new Set() }
const claimedTab = Promise.resolve(tab)
const draft = { ...emptyDraft, fields: { ...emptyDraft.fields, eName: 'Half typed' } }

function DraftName() {
  const { loadedOutbox } = useOutbox(uid, claimedTab)
  return <p>{loadedOutbox?.initialDraft.fields.eName}</p>
}

test('StrictMode opens one outbox, so that a stored draft is not duplicated', async () => {
  await (await openEncryptedStore(uid, tab)).put('form-1', draft)
  const screen = await render(
    <StrictMode>
      <Provider store={makeStore({} as DocumentStore)}>
        <DraftName />
      </Provider>
    </StrictMode>,
  )
  await expect.element(screen.getByText('Half typed')).toBeVisible()
  await expect.poll(listStoredForms).toHaveLength(1)
  // Gives a second outbox the time to write a row of its own.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await listStoredForms()).toHaveLength(1)
})

async function listStoredForms() {
  const names = await keys<string>(createStore('staffbook', 'vault'))
  return names.filter((name) => name.startsWith(`${uid}/row/form-`))
}
