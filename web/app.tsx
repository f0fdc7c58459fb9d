import { Navigate, useLocation } from 'react-router'
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

/** The routes of the specification's point 2: three paths without parameters, for which a route matcher is 4 KB too much. */
export function App({ services, store, tab }: AppProps) {
  const { pathname } = useLocation()
  switch (pathname) {
    case '/':
      return <SignUpScreen identity={services.identity} />
    case '/signin':
      return <SignInScreen identity={services.identity} />
    case '/form':
      return (
        <RequireStoredUser>
          {(user) => <RecordsScreen key={user.uid} user={user} services={services} store={store} tab={tab} />}
        </RequireStoredUser>
      )
    default:
      return <Navigate to="/" replace />
  }
}
