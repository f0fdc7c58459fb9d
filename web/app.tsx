import { Suspense, useLayoutEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { useAccountLocation, useLinkToken } from './auth/account-location.ts'
import { mayHaveRewrittenLink } from './auth/link-address.ts'
import { RequireStoredUser, useStoredUser } from './auth/stored-user.tsx'
import type { Services } from './backends/ports.ts'
import { booksForgotten } from './records/model/book/book-slice.ts'
import { useAppDispatch } from './records/model/book/store.ts'
import type { Tab } from './records/model/outbox/tab-lock.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { lazyPart } from './ui/lazy-part.tsx'

/** The page /form and everything it needs without a network, in a chunk of its own. */
export const RecordsPage = lazyPart(() => import('./records/page/records-page.tsx'), 'RecordsPage')

// Both are in one chunk: see scripts/first-chunks.ts.
export const SignUpScreen = lazyPart(() => import('./auth/sign-up-screen.tsx'), 'SignUpScreen')
export const SignInScreen = lazyPart(() => import('./auth/sign-in-screen.tsx'), 'SignInScreen')

const LinkReader = lazyPart(() => import('./auth/team/link-reader.tsx'), 'LinkReader')
const CredentialScreen = lazyPart(() => import('./auth/team/credential-screen.tsx'), 'CredentialScreen')

interface AppProps {
  services: Services
  /** Resolves to the identity of this browser tab. */
  tab: Promise<Tab>
}

/** The routes of section 2 of the specification. */
export function App({ services, tab }: AppProps) {
  const { identity } = services
  const { pathname, search, hash } = useLocation()
  const { isAddressRead } = useAccountLocation()
  useForgetBooks()
  if (!isAddressRead && mayHaveRewrittenLink(pathname + search + hash))
    return (
      <Suspense fallback={null}>
        <ErrorBoundary>
          <LinkReader />
        </ErrorBoundary>
      </Suspense>
    )
  // React Router ignores a slash at the end of a path, but the specification has no route /form/.
  if (pathname.length > 1 && pathname.endsWith('/')) return <Navigate to="/" replace />

  const form = (
    <RequireStoredUser>
      {(user) => <RecordsPage key={user.uid} user={user} services={services} tab={tab} />}
    </RequireStoredUser>
  )
  return (
    <Suspense fallback={null}>
      <ErrorBoundary key={pathname}>
        <Routes>
          <Route path="/" element={<StartScreen identity={identity} />} />
          <Route
            path="/signin"
            element={<SignInScreen identity={identity} preloadForm={RecordsPage.preload} />}
            caseSensitive
          />
          <Route path="/form" element={form} caseSensitive />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </ErrorBoundary>
    </Suspense>
  )
}

function StartScreen({ identity }: Pick<Services, 'identity'>) {
  const secret = useLinkToken('credential')
  if (secret === null || !identity.team) return <SignUpScreen identity={identity} />
  return (
    <ErrorBoundary>
      <CredentialScreen key={secret} secret={secret} team={identity.team} />
    </ErrorBoundary>
  )
}

/** Forgets the records when the user logs out, in any tab, or another one signs in. */
function useForgetBooks() {
  const dispatch = useAppDispatch()
  const uid = useStoredUser()?.uid
  // biome-ignore lint/correctness/useExhaustiveDependencies: the records are those of this user
  useLayoutEffect(() => () => void dispatch(booksForgotten()), [dispatch, uid])
}
