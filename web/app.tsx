import { Navigate, useLocation } from 'react-router'
import { RequireStoredUser } from './auth/require-stored-user.tsx'
import { SignInScreen } from './auth/sign-in-screen.tsx'
import { SignUpScreen } from './auth/sign-up-screen.tsx'
import type { Services } from './backends/ports.ts'
import type { Tab } from './records/outbox/encrypted-store.ts'
import { RecordsPage } from './records/records-page.tsx'

interface AppProps {
  services: Services
  tab: Promise<Tab>
}

/** The routes of the specification's point 2: three paths without parameters, for which a route matcher is 4 KB too much. */
export function App({ services, tab }: AppProps) {
  const { pathname } = useLocation()
  switch (pathname) {
    case '/':
      return <SignUpScreen identity={services.identity} />
    case '/signin':
      return <SignInScreen identity={services.identity} />
    case '/form':
      return (
        <RequireStoredUser>
          {(user) => <RecordsPage key={user.uid} user={user} services={services} tab={tab} />}
        </RequireStoredUser>
      )
    default:
      return <Navigate to="/" replace />
  }
}
