import type { Hono } from 'hono'
import * as v from 'valibot'
import { call, isEngineError, login, logout, type Operation } from '../../../engine/index.ts'
import { addressIn, requestedPlace, type SignedSetting, withLanguage } from './area.ts'
import type { Visitor } from './session.ts'
import { signInPage } from './sign-in.ts'
import { formOf, isOneOf, route, type Served, signedForm, type Visit } from './visit.ts'

/** Adds the addresses for signing in and out to an area. One session is valid in all areas. */
export function addAccount<Setting extends SignedSetting>(app: Hono, served: Served<Setting>): void {
  const { home } = served.setting.area
  const routes = [
    route<Setting>(app, 'post', `${home}/sign-in`, formOf(signIn)),
    route<Setting>(app, 'post', `${home}/sign-out`, signedForm(signOut)),
    // The address of a form, when somebody opens it as a page.
    route<Setting>(app, 'get', `${home}/:at{sign-in|sign-out}`, async ({ answering }) => answering.redirect(home)),
  ]
  for (const add of routes) add(served)
}

/** Calls an operation and returns its output with its type, checked by its output schema. */
export async function outputOf<Output extends v.GenericSchema>(
  operation: Operation<v.GenericSchema, Output>,
  { context }: Pick<Visitor, 'context'>,
  input: unknown,
): Promise<v.InferOutput<Output>> {
  return v.parse(operation.output, await call(operation, context, input))
}

async function signIn(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { opened, answering, cookie, setting } = visit
  const email = (form.get('email') ?? '').trim()
  const to = requestedPlace(setting.area, form.get('to'))
  try {
    const session = await outputOf(login, opened, { email, password: form.get('password') ?? '' })
    const response = answering.redirect(withLanguage(addressIn(setting.area, to), setting))
    const seconds = session.expires_timestamp - Math.floor(opened.context.clock() / 1000)
    response.headers.append('Set-Cookie', cookie.set(session.access_token, seconds))
    return response
  } catch (error) {
    return notSignedIn(error, visit, { email, to })
  }
}

/** A malformed email address gets the same answer as an unknown one. */
async function notSignedIn(error: unknown, visit: Visit, kept: { email: string; to: string | undefined }) {
  const { answering, setting } = visit
  const { wrong, locked, busy } = setting.signed.signIn
  const page = (status: number, text: string) =>
    answering.page(status, signInPage({ ...kept, result: { kind: 'bad', text } }, setting))
  if (isOneOf(error, 'invalid_credentials', 'invalid_input')) return page(401, wrong)
  if (isOneOf(error, 'too_busy')) return page(503, busy)
  if (!isEngineError(error, 'too_many_attempts') && !isEngineError(error, 'too_many_requests')) throw error
  const seconds = Number(error.params.seconds)
  const response = await page(429, locked(seconds))
  response.headers.set('Retry-After', String(seconds))
  return response
}

async function signOut({ answering, cookie, setting }: Visit, visitor: Visitor): Promise<Response> {
  await call(logout, visitor.context, {})
  const response = answering.redirect(withLanguage(`${setting.area.home}?out`, setting))
  response.headers.append('Set-Cookie', cookie.cleared)
  return response
}
