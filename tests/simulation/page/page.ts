import type { SignedIn } from '../../../contract/accounts.ts'
import type { Batch } from '../../../contract/batches.ts'
import type { Employee, EmployeeFields } from '../../../contract/employees.ts'
import {
  readStoredUser,
  removeStoredUser,
  signOutOtherTabs,
  storeUser,
} from '../../../web/auth/stored-user.tsx'
import type { ServiceErrorCode } from '../../../web/backends/ports.ts'
import { createSelfHostedBackend } from '../../../web/backends/self-hosted/backend.ts'
import { withSlot } from '../../../web/backends/self-hosted/connection-slots.ts'
import { limitUploadTime, type Upload } from '../../../web/backends/self-hosted/upload.ts'
import { listen } from '../../../web/lib/dom.ts'
import { onClearedStorage } from '../../../web/lib/stored-state.ts'
import { takeBackDeletion } from '../../../web/records/features/history/take-back-deletion.ts'
import { booksForgotten } from '../../../web/records/model/book/book-slice.ts'
import {
  deleteMany,
  draftFromEmployee,
  emptyDraft,
  type Operation,
  operationFromDraft,
} from '../../../web/records/model/book/operation.ts'
import { makeStore } from '../../../web/records/model/book/store.ts'
import { type ConnectionStatus, syncEmployees } from '../../../web/records/model/book/sync-employees.ts'
import { chooseValue, mergeDraft } from '../../../web/records/model/editing/merge-draft.ts'
import {
  applyPendingUpdates,
  type Entry,
  isUndo,
  isUnsaved,
  isWaiting,
  withoutObsolete,
} from '../../../web/records/model/outbox/entry.ts'
import type { Outbox } from '../../../web/records/model/outbox/outbox.ts'
import { claimTab } from '../../../web/records/model/outbox/tab-lock.ts'
import { leaveOutbox, openOutboxOf } from '../../../web/records/model/outbox/use-outbox.ts'

/** How long a logout waits for operations that are being sent, in ms: as the page `records-page.tsx` does. */
const logoutTimeoutMs = 5_000

/** Replaces the page's upload, which needs XMLHttpRequest. */
const upload: Upload = async (url, init, onProgress) => {
  const signal = AbortSignal.any([init.signal, AbortSignal.timeout(limitUploadTime(init.body.length))])
  const response = await fetch(url, { ...init, signal })
  onProgress(1)
  return response
}

export interface PageListener {
  log(text: string): void
  /** Called with each operation that the service has confirmed. */
  onComplete(uid: string, operation: Operation): void
  /** Called when the page has loaded the records, with the time at which it began to. */
  onLoaded(sinceMs: number): void
  /** Called when the page has other records than before. */
  onShown(): void
}

export interface LogoutListener {
  /** Called before the session is ended. */
  onSignOut(): void
  /** Called before what is stored is deleted. */
  onWipe(): void
}

export type PageApi = ReturnType<typeof openPage>
export type OpenPage = typeof openPage

/** The page without its components: what they do with the ports, the outbox and the synchronization, in their order. */
export function openPage({ log, onComplete, onLoaded, onShown }: PageListener) {
  const services = createSelfHostedBackend({
    fetch: (...args) => fetch(...args),
    upload,
    sharing: { getUid: () => readStoredUser()?.uid, withSlot },
  })
  const { identity, documents } = services
  const store = makeStore(documents)
  const tab = claimTab()
  let shownBook: readonly Employee[] = []
  store.subscribe(() => {
    if (getBook() === shownBook) return
    shownBook = getBook()
    onShown()
  })
  let visit: Visit | undefined
  let isLoggingOut = false
  let isSigningIn = false
  /** The session is being ended: as `main` of the page is then, nothing can be used. */
  let isInert = false
  /** The outboxes of users who have left: some are kept. */
  const left = new Set<Outbox>()
  const usable = () => (isInert ? undefined : visit?.outbox)

  /** The route /form for one user. */
  function createVisit(uid: string) {
    const opening = openOutboxOf(uid, store, tab)
    let outbox: Outbox | undefined
    let status: ConnectionStatus = 'loading'
    let shownStatus: ConnectionStatus | undefined
    let sending: AbortController | undefined
    let stopSync = () => {}
    let isLeft = false
    const stopWatching = [
      listen(window, 'online offline', update),
      onClearedStorage(() => restart()),
      listen(document, 'visibilitychange', () => status === 'signed-out' && !document.hidden && restart()),
      listen(window, 'focus', () => status === 'signed-out' && !document.hidden && restart()),
      listen(document, 'visibilitychange', () => outbox?.saveForm()),
    ]
    void opening.then((opened) => {
      outbox = opened
      // What an earlier visit was sending ends unseen.
      outbox.onComplete((operation) => isLeft || onComplete(uid, operation))
      update()
    })
    restart()

    function restart() {
      if (isLeft) return
      stopSync()
      const since = performance.now()
      let isLoaded = false
      stopSync = syncEmployees({
        dispatch: store.dispatch,
        documents,
        pageReady: opening,
        onStatusChange(next) {
          status = next
          update()
          if (next !== 'live' || isLoaded) return
          isLoaded = true
          onLoaded(since)
        },
      })
    }

    /** Retries waiting operations while the connection is live. */
    function update() {
      const next = status === 'live' && !navigator.onLine ? 'offline' : status
      if (isLeft || !outbox || next === shownStatus) return
      log(next)
      shownStatus = next
      sending?.abort()
      sending = undefined
      if (next !== 'live') return
      sending = new AbortController()
      outbox.keepSending(sending.signal)
    }

    return {
      uid,
      user: readStoredUser(),
      opening,
      get outbox() {
        return outbox
      },
      get status() {
        return shownStatus ?? status
      },
      stopSync: () => stopSync(),
      restart,
      leave() {
        isLeft = true
        stopSync()
        sending?.abort()
        for (const stop of stopWatching) stop()
        leaveOutbox(uid, opening)
        if (outbox) left.add(outbox)
        store.dispatch(booksForgotten())
      },
    }
  }

  /** Shows /form, or the account screens if nobody is signed in. */
  function show(isForm: boolean) {
    const uid = isForm ? readStoredUser()?.uid : undefined
    if (visit?.uid === uid) return
    visit?.leave()
    visit = uid === undefined ? undefined : createVisit(uid)
  }

  async function completeLogout(leaving: Visit, outbox: Outbox, { onSignOut, onWipe }: LogoutListener) {
    leaving.stopSync()
    isInert = true
    try {
      onSignOut()
      await identity.signOut()
    } catch (error) {
      isInert = false
      leaving.restart()
      throw error
    }
    signOutOtherTabs()
    onWipe()
    await outbox.wipe()
    removeStoredUser()
    show(false)
    isInert = false
  }

  async function logOut(leaving: Visit, isConfirmed: boolean, listener: LogoutListener): Promise<boolean> {
    const outbox = await leaving.opening
    await outbox.waitUntilIdle(logoutTimeoutMs)
    const elsewhere = await outbox.countUnsavedElsewhere()
    if (outbox.countUnsaved() + elsewhere > 0 && !isConfirmed) return false
    return completeLogout(leaving, outbox, listener).then(
      () => true,
      () => false,
    )
  }

  const getBook = () => store.getState().book

  /** What is submitted, as `useEditing` does; the user wants their own text where others have changed a field too. */
  function mergeForm(outbox: Outbox) {
    const draft = outbox.form()
    const found = getBook().find(({ id }) => id === draft.editing?.id)
    const current = found && applyPendingUpdates(found, outbox.entries())
    const { conflicts } = mergeDraft(draft, current)
    const decided = conflicts.reduce((draft, conflict) => chooseValue(draft, conflict, 'mine'), draft)
    const hasLoaded = visit?.status === 'live' || visit?.status === 'offline'
    return {
      draft: mergeDraft(decided, current).draft,
      isDeleted: draft.editing !== null && !found && hasLoaded,
    }
  }

  const entries = (): readonly Entry[] => visit?.outbox?.entries() ?? []

  return {
    /** Loads /form, as a browser does that is opened again. */
    start() {
      listen(window, 'storage pageshow', (event: Event & { key?: string | null }) => {
        // As `useStoredUser` does, where the browser has cleared all it stores.
        if (event.key === null && visit?.user && !readStoredUser()) storeUser(visit.user)
        if (visit) show(true)
      })
      show(true)
    },
    async signUp(email: string, password: string): Promise<void> {
      await identity.createAccount(email, password)
    },
    /** Resolves to the code of the error, if the service refuses. */
    async signIn(email: string, password: string): Promise<ServiceErrorCode | undefined> {
      // As `useAction`, which runs one at a time.
      if (isSigningIn) return
      isSigningIn = true
      show(false)
      try {
        const {
          resetLink: _,
          resetLinks: _links,
          ...user
        } = (await identity.signIn(email, password)) as SignedIn
        storeUser(user)
        show(true)
      } catch (error) {
        return (error as { code?: ServiceErrorCode }).code ?? 'server-error'
      } finally {
        isSigningIn = false
      }
    },
    /** Asks, as the page does, if there is unsaved work: `isConfirmed` is the answer. Resolves to whether the user is logged out. */
    async logOut(isConfirmed: boolean, listener: LogoutListener): Promise<boolean> {
      const leaving = visit
      if (!leaving || isLoggingOut) return false
      isLoggingOut = true
      return logOut(leaving, isConfirmed, listener).finally(() => {
        isLoggingOut = false
      })
    },
    /** Removes a colleague, or lets them in again. Resolves to whether the service has answered that it has. */
    async changeTeam(change: 'remove' | 'let in', email: string, password: string): Promise<boolean> {
      const { team } = identity
      const found = (await team?.listColleagues())?.find((colleague) => colleague.email === email)
      if (!team || !found) return false
      await (change === 'remove' ? team.removeColleague(found.id, password) : team.letIn(found.id))
      return true
    },
    /** Ends the other sessions of this user. */
    endOtherSessions: () => identity.sessions?.endOthers(),
    isReady: () => visit?.outbox !== undefined,
    status: () => visit?.status ?? 'account',
    uid: () => visit?.uid,
    email: () => visit?.user?.email,
    book: getBook,
    entries,
    isUnsaved,
    isWaiting,
    countQueues: () => visit?.outbox?.queues.size ?? 0,
    /** The ids of what another user has left, and only this page has. */
    keptIds: () =>
      [...left].filter(({ isEnded }) => !isEnded).flatMap((kept) => kept.entries().map(({ id }) => id)),
    isDurable: () => visit?.outbox?.isDurable ?? true,
    isFullyLoaded: () => visit?.outbox?.isFullyLoaded ?? true,
    undoEntries: () => withoutObsolete(entries(), getBook()).filter(isUndo),
    form: () => visit?.outbox?.form(),
    add(fields: EmployeeFields) {
      const outbox = usable()
      if (!outbox) return
      const operation = operationFromDraft({ fields, editing: null })
      return { operation, done: submitForm(outbox, operation) }
    },
    /** Changes fields of a record as the user sees it. */
    edit(employee: Employee, changes: Partial<EmployeeFields>) {
      const outbox = usable()
      if (!outbox) return
      const draft = draftFromEmployee(applyPendingUpdates(employee, outbox.entries()))
      const operation = operationFromDraft({ ...draft, fields: { ...draft.fields, ...changes } })
      return { operation, done: submitForm(outbox, operation) }
    },
    /** Types without saving. `employee`: the record that is edited. What is in the form already becomes an entry. */
    type(fields: EmployeeFields, employee?: Employee) {
      if (employee) usable()?.replaceForm(draftFromEmployee(employee))
      usable()?.setForm({ fields, editing: employee ?? null })
    },
    /** Types into what is in the form. */
    typeChanges(changes: Partial<EmployeeFields>) {
      const draft = usable()?.form()
      if (draft) usable()?.setForm({ ...draft, fields: { ...draft.fields, ...changes } })
    },
    remove(employee: Employee) {
      return usable()?.submit({ kind: 'remove', employee })
    },
    removeMany(employees: Employee[]) {
      return usable()?.submit(deleteMany(employees))
    },
    importBatch(batch: Batch) {
      return usable()?.importBatch(batch, {})
    },
    /** Restores a record from the list of deleted ones. `onBegin` is called with it before. */
    async restoreDeleted(choose: (ids: string[]) => string | undefined): Promise<void> {
      const { history } = documents
      const deleted = (await history?.listDeleted())?.documents ?? []
      const id = choose(deleted.map((document) => document.id))
      if (id === undefined) return
      takeBackDeletion(visit?.outbox, id)
      await history?.restoreDeleted(id)
    },
    undo: (id: string) => usable()?.undo(id),
    undoDeletes: (ids: string[]) => usable()?.undoDeletes(new Set(ids)),
    retry: (id: string) => usable()?.retry(id),
    discard: (id: string) => usable()?.discard(id),
    editEntry: (id: string) => usable()?.takeForEditing(id),
    submitForm() {
      const outbox = usable()
      if (!outbox) return
      const { draft, isDeleted } = mergeForm(outbox)
      const operation = operationFromDraft(draft, isDeleted)
      return { operation, done: submitForm(outbox, operation) }
    },
  }

  type Visit = ReturnType<typeof createVisit>
}

function submitForm(outbox: Outbox, operation: Parameters<Outbox['submit']>[0]): Promise<void> {
  const done = outbox.submit(operation)
  void outbox.saveForm(emptyDraft)
  return done
}
