import type { SignedIn } from '../../../../contract/accounts.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import { type Confirmation, ssoPaths } from '../../../../contract/identity/sso.ts'
import { currentLanguage, type Message, t, translationOf } from '../../../language/translate.ts'
import { ServiceError, type SsoService } from '../../ports.ts'
import { createRequests, type Send } from '../client.ts'

/** The messages of contract/errors.ts, to be translated. */
const messages: Partial<Record<ErrorCode, Message>> = {
  'sso-failed': translationOf('Signing in took too long, or was done already. Please try again.'),
  'sso-cancelled': translationOf('You weren’t signed in there. Try again, or ask your administrator.'),
  'sso-other-account': translationOf('You signed in there as somebody else. Please try again as yourself.'),
  'sso-unverified': translationOf(
    'Your account there has no verified email address. Ask your administrator.',
  ),
  'sso-not-allowed': translationOf(
    'Your account there isn’t allowed to use this register. Ask your administrator.',
  ),
  'sso-other-person': translationOf(
    'The account with this email belongs to somebody else there. Ask your administrator.',
  ),
  'sso-unavailable': translationOf(
    'Single sign-on isn’t available right now. Try again later, or use your password.',
  ),
  'invalid-email': translationOf('This invitation is for another email address.'),
}

export function createSsoService(send: Send): SsoService {
  const { read, run } = createRequests(send)

  async function readAddress(path: string): Promise<string> {
    const { url } = await inWords(read<{ url: string }>('POST', path))
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new TypeError('The address is not one of a page.')
    return url
  }

  return {
    begin: () => readAddress(ssoPaths.sessionOptions),
    finish: (response, invitation) =>
      inWords(read<SignedIn>('POST', ssoPaths.session, { body: { response, invitation } })),
    confirmation: () => read<Confirmation>('GET', ssoPaths.confirmation),
    beginConfirmation: () => readAddress(ssoPaths.confirmationOptions),
    finishConfirmation: (response) => inWords(run('POST', ssoPaths.confirmation, { body: { response } })),
  }
}

/** Gives errors their messages in the language of the page. In English they have them. */
async function inWords<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const message = error instanceof ServiceError && messages[error.code as ErrorCode]
    const text = message && currentLanguage() !== 'en' && t(message)
    throw text ? new ServiceError((error as ServiceError).code, text, { cause: error }) : error
  }
}
