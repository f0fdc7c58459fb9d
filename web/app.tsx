import { Navigate, useRoutes } from 'react-router'
import { RecordsScreen } from './records/records-screen.tsx'
import type { Tab } from './records/vault.ts'
import type { Services } from './services/ports.ts'
import { RequireStoredUser } from './session/require-stored-user.tsx'
import { SignInScreen } from './session/sign-in-screen.tsx'
import { SignUpScreen } from './session/sign-up-screen.tsx'
import type { Store } from './store.ts'

interface AppProps {
  services: Services
  store: Store
  tab: Promise<Tab>
}

/** The routes of the specification's point 2. */
export function App({ services, store, tab }: AppProps) {
  return useRoutes([
    { path: '/', element: <SignUpScreen identity={services.identity} /> },
    { path: '/signin', element: <SignInScreen identity={services.identity} /> },
    {
      path: '/form',
      element: (
        <RequireStoredUser>
          {(user) => <RecordsScreen key={user.uid} user={user} services={services} store={store} tab={tab} />}
        </RequireStoredUser>
      ),
    },
    { path: '*', element: <Navigate to="/" replace /> },
  ])
}
