import type { Hono, Context as Request } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'
import {
  beginSignOn,
  type Code,
  domainIn,
  finishSignOn,
  isEngineError,
  signOnForDomain,
  signOnTicketIn,
  signOnTime,
} from '../../../engine/index.ts'
import { addressIn, requestedPlace, type SignedSetting, withLanguage } from './area.ts'
import { messagePage } from './layout.ts'
import { outputOf } from './output.ts'
import { secondStepFor, sessionHeader } from './second-step.ts'
import { signInPage } from './sign-in.ts'
import { signedOutPage } from './sign-out.ts'
import { formOf, idIn, isOneOf, message, route, type Served, type Visit } from './visit.ts'

/** Adds the address to an area from which people are sent to the identity provider of their business. */
export function addSignOn<Setting extends SignedSetting>(app: Hono, served: Served<Setting>): void {
  route<Setting>(app, 'post', `${served.setting.area.home}/sign-on`, formOf(leave))(served)
}

/** Adds the addresses to which identity providers send people back: one for each business, whichever area they left. */
export function addSignOnReturn<Setting extends SignedSetting>(app: Hono, served: Served<Setting>): void {
  route<Setting>(app, 'get', '/account/sign-on/:business{[1-9]\\d{0,14}}', comeBack)(served)
}

/** The longest page to return to: beside it, the cookie with the ticket must not be larger than browsers take. */
const longestPlace = 1_800

/**
 * The cookie with the ticket of a sign-on, which ties it to this browser. A person comes back from another site, so it has to be
 * sent then, too.
 */
function ticketCookie({ isSecure }: Visit) {
  const name = isSecure ? '__Host-otep-sign-on' : 'otep_sign_on'
  const scope = `Path=/; ${isSecure ? 'Secure; ' : ''}HttpOnly; SameSite=Lax`
  return {
    read: (request: Request) => getCookie(request, name) ?? '',
    set: (ticket: string) => `${name}=${ticket}; Max-Age=${signOnTime / 1000}; ${scope}`,
    cleared: `${name}=; Max-Age=0; ${scope}`,
  }
}

/**
 * Sends a visitor to the identity provider. A page leads there and no redirect, because the policy of the form before it names no
 * other site, and cannot name those to which the provider may lead on.
 */
async function leave(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { opened, setting, answering } = visit
  const { area, signed } = setting
  const email = (form.get('email') ?? '').trim()
  const to = requestedPlace(area, form.get('to'))
  const place = to === undefined || to.length > longestPlace ? {} : { place: to }
  try {
    const { url, ticket } = await outputOf(beginSignOn, opened, { email, page: { home: area.home, ...place } })
    const { name = '' } = (await signOnForDomain(opened.context, domainIn(email))) ?? {}
    const response = await answering.page(200, goingPage(signed.signOn.leaving({ name }), url, setting))
    response.headers.set('Refresh', `0; url=${url}`)
    response.headers.append('Set-Cookie', ticketCookie(visit).set(ticket))
    return response
  } catch (error) {
    const page = (status: number, text?: string) =>
      answering.page(status, signInPage({ email, to, ...(text && { result: { kind: 'bad', text } }) }, visit))
    if (isOneOf(error, 'identity_provider_unavailable')) return page(503, signed.signOn.unavailable)
    if (isOneOf(error, 'sign_on_not_found', 'invalid_input')) return page(422)
    throw error
  }
}

function goingPage(title: string, url: string, setting: SignedSetting) {
  const more = html`<p><a href="${url}">${setting.signed.signOn.next}</a></p>`
  return messagePage({ title, lead: '', more }, setting)
}

/**
 * Shows a visitor who has signed out at the provider that it is done, and signs in one who comes back, in the browser that left.
 * One who comes back from nothing, such as a sign-out of long ago, gets the page to sign in.
 */
async function comeBack(visit: Visit): Promise<Response> {
  const { req } = visit.request
  const isAnswer = ['code', 'error'].some((name) => req.query(name) !== undefined)
  return (
    (await signedOutPage(visit)) ?? (isAnswer ? signInBack(visit) : visit.answering.page(200, signInPage({}, visit)))
  )
}

async function signInBack(visit: Visit): Promise<Response> {
  const { request, opened, answering, setting } = visit
  const cookie = ticketCookie(visit)
  const text = cookie.read(request)
  const { page: left = { home: '/account' } } = signOnTicketIn(opened.context, text) ?? {}
  // What follows belongs to the area that was left.
  const there: Visit = { ...visit, setting: { ...setting, area: { ...setting.area, home: left.home } } }
  const answer = async () => {
    const [business_id, state, code] = [
      idIn(request.req.param('business')),
      request.req.query('state'),
      request.req.query('code'),
    ]
    if (code === undefined) return refuse(there, 'invalid_id_token')
    const session = await outputOf(finishSignOn, opened, { business_id, ticket: text, state, code })
    const next = withLanguage(addressIn(there.setting.area, left.place), setting)
    // The cookie of a session is not sent with a redirect that another site has begun.
    const page = await answering.page(200, goingPage(setting.signed.signOn.signedIn, next, there.setting))
    page.headers.set('Refresh', `0; url=${next}`)
    page.headers.append('Set-Cookie', sessionHeader(visit, session))
    return page
  }
  const response = await answer().catch(async (error: unknown) => {
    if (!isEngineError(error)) throw error
    return (await secondStepFor(there, error, left.place)) ?? refuse(there, error.code, error)
  })
  response.headers.append('Set-Cookie', cookie.cleared)
  return response
}

/** Why somebody who came back is not signed in. */
function refuse(visit: Visit, code: Code, error?: unknown): Promise<Response> {
  const { signOn } = visit.setting.signed
  const reasons: Readonly<Partial<Record<Code, readonly [status: number, lead: string]>>> = {
    sign_on_not_valid: [410, signOn.over],
    invalid_input: [410, signOn.over],
    invalid_id_token: [403, signOn.refused],
    sign_on_address_refused: [403, signOn.address],
    sign_on_without_account: [403, signOn.without],
    binding_conflict: [403, signOn.without],
    staff_role_not_found: [403, signOn.without],
    identity_provider_unavailable: [503, signOn.unavailable],
  }
  const reason = reasons[code]
  if (reason === undefined) throw error
  const [status, lead] = reason
  const more = html`<p><a href="${withLanguage(visit.setting.area.home, visit.setting)}">${signOn.again}</a></p>`
  return message(visit, status, { title: signOn.failed, lead, more })
}
