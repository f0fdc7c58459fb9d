import { Navigate, Route, Routes } from 'react-router'
import { RecordsScreen } from './records/records-screen.tsx'
import type { Tab } from './records/vault.ts'
import type { Services } from './services/ports.ts'
import { RequireStoredUser } from './session/require-stored-user.tsx'
import { SignInScreen } from './session/sign-in-screen.tsx'
import { SignUpScreen } from './session/sign-up-screen.tsx'

/** The routes of the specification's point 2. */
export function App({ services, tab }: { services: Services; tab: Promise<Tab> }) {
  return (
    <Routes>
      <Route path="/" element={<SignUpScreen identity={services.identity} />} />
      <Route path="/signin" element={<SignInScreen identity={services.identity} />} />
      <Route
        path="/form"
        element={
          <RequireStoredUser>
            {(user) => <RecordsScreen key={user.uid} user={user} services={services} tab={tab} />}
          </RequireStoredUser>
        }
      />
      <Route path="*" element={<Navigate to="/" replace />} />
    </Routes>
  )
}
