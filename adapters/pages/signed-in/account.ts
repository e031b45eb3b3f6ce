import type { Hono } from 'hono'
import { call, isEngineError, login, logout } from '../../../engine/index.ts'
import { requestedPlace, type SignedSetting, withLanguage } from './area.ts'
import { outputOf } from './output.ts'
import { addSecondStep, secondStepFor, welcomeIn } from './second-step.ts'
import type { Visitor } from './session.ts'
import { signInPage } from './sign-in.ts'
import { addSignOn } from './sign-on.ts'
import { alsoAtProvider } from './sign-out.ts'
import { formOf, isOneOf, route, type Served, signedForm, type Visit } from './visit.ts'

export { outputOf } from './output.ts'

/** Adds the addresses for signing in and out to an area. One session is valid in all areas. */
export function addAccount<Setting extends SignedSetting>(app: Hono, served: Served<Setting>): void {
  addSecondStep(app, served)
  addSignOn(app, served)
  const { home } = served.setting.area
  const routes = [
    route<Setting>(app, 'post', `${home}/sign-in`, formOf(signIn)),
    route<Setting>(app, 'post', `${home}/sign-out`, signedForm(signOut)),
    // The address of a form, when somebody opens it as a page.
    route<Setting>(
      app,
      'get',
      `${home}/:at{sign-in|sign-in-step|sign-in-setup|sign-on|sign-out}`,
      async ({ answering, setting }) => answering.redirect(withLanguage(home, setting)),
    ),
  ]
  for (const add of routes) add(served)
}

async function signIn(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { opened, setting } = visit
  const email = (form.get('email') ?? '').trim()
  const to = requestedPlace(setting.area, form.get('to'))
  const password = form.get('password')
  // Only the address was asked for.
  if (password === null && email !== '') return visit.answering.page(200, signInPage({ email, to }, visit))
  try {
    return welcomeIn(visit, await outputOf(login, opened, { email, password: password ?? '' }), to)
  } catch (error) {
    const step = isEngineError(error) && (await secondStepFor(visit, error, to))
    return step || notSignedIn(error, visit, { email, to })
  }
}

/** A malformed email address gets the same answer as an unknown one. */
async function notSignedIn(error: unknown, visit: Visit, kept: { email: string; to: string | undefined }) {
  const { answering, setting } = visit
  const { wrong, locked, busy } = setting.signed.signIn
  const { signOn } = setting.signed
  const page = (status: number, text: string) =>
    answering.page(status, signInPage({ ...kept, result: { kind: 'bad', text } }, visit))
  if (isOneOf(error, 'invalid_credentials', 'invalid_input')) return page(401, wrong)
  if (isEngineError(error, 'sign_on_required')) return page(403, signOn.required({ name: String(error.params.name) }))
  if (isOneOf(error, 'too_busy')) return page(503, busy)
  if (!isEngineError(error, 'too_many_attempts') && !isEngineError(error, 'too_many_requests')) throw error
  const seconds = Number(error.params.seconds)
  const response = await page(429, locked({ seconds }))
  response.headers.set('Retry-After', String(seconds))
  return response
}

/** Ends the session. Where it began at an identity provider, the answer is a page with the way to sign out there, too. */
async function signOut(visit: Visit, visitor: Visitor): Promise<Response> {
  const { answering, cookie, setting } = visit
  await call(logout, visitor.context, {})
  const response =
    (await alsoAtProvider(visit, visitor)) ?? answering.redirect(withLanguage(`${setting.area.home}?out`, setting))
  response.headers.append('Set-Cookie', cookie.cleared)
  return response
}
