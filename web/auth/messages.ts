import { passwordLength } from '../../contract/accounts.ts'

/** The messages of the account screens. For the dialogs, which are loaded later, see `dialog-messages.ts`. */

/** web/inline/shell.html has it too. */
export const tagline = 'Your team’s employees and their logins'

export const email = 'Email'
export const password = 'Password'
export const passwordRule = `At least ${passwordLength.min} characters. A few random words work well.`

/** `busy` is announced while submitting takes long. */
export const signUp = { title: 'Create Your Account', submit: 'Sign Up', busy: 'Creating your account…' }
export const signUpClosed = 'Sign-up is closed. Ask your administrator for an account.'
export const invitationNeeded = 'You need an invitation. Ask a colleague for a link.'
export const haveAccount = 'Have an account?'
export const goToSignIn = 'Sign in'

export const signIn = { title: 'Welcome Back', submit: 'Sign In', busy: 'Signing in…' }
export const signInFailed = (message: string) => `Error: ${message}`
export const accountReady = 'Your account is ready. Sign in to open the register.'
export const sessionEnded = 'Sign in to continue. Your unsaved changes are kept.'
export const newHere = 'New here?'
export const goToSignUp = 'Create an account'
export const signedInAs = (email: string) => `Signed in as ${email}`
export const openRegister = 'Open the register'

export const forgotPassword = 'Forgot your password?'
export const askForReset = `${forgotPassword} Ask a colleague or your administrator for a reset link.`
