import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import {
  beginPasskeySignIn,
  beginSetup,
  confirmSetup,
  type EngineError,
  isEngineError,
  loginSecondFactor,
} from '../../../engine/index.ts'
import { addressIn, requestedPlace, type SignedSetting, withLanguage } from './area.ts'
import { codeField, passkeyForm, recoveryCodes, secretPart } from './factors.ts'
import { type Result, resultBox, signedFrame } from './layout.ts'
import { outputOf } from './output.ts'
import { signInPage } from './sign-in.ts'
import { formOf, isOneOf, route, type Served, type Visit } from './visit.ts'

/** A session that has begun. */
type Session = Pick<InferOutput<typeof loginSecondFactor.output>, 'access_token' | 'expires_timestamp'>

/** Adds the addresses for the second step of a sign-in to an area, and for one with a passkey alone. */
export function addSecondStep<Setting extends SignedSetting>(app: Hono, served: Served<Setting>): void {
  const { home } = served.setting.area
  const routes = [
    route<Setting>(app, 'get', `${home}/sign-in-passkey`, askPasskey),
    route<Setting>(app, 'post', `${home}/sign-in-step`, formOf(finish)),
    route<Setting>(app, 'post', `${home}/sign-in-setup`, formOf(setUp)),
  ]
  for (const add of routes) add(served)
}

/** The cookie of a session that has begun. */
export function sessionHeader({ cookie, opened }: Visit, { access_token, expires_timestamp }: Session): string {
  return cookie.set(access_token, expires_timestamp - Math.floor(opened.context.clock() / 1000))
}

/** Leads on to the page that was asked for, signed in. */
export function welcomeIn(visit: Visit, session: Session, to: string | undefined): Response {
  const { answering, setting } = visit
  const response = answering.redirect(withLanguage(addressIn(setting.area, to), setting))
  response.headers.append('Set-Cookie', sessionHeader(visit, session))
  return response
}

/** The page of the second step, if a sign-in was refused for want of it; undefined for another refusal. */
export async function secondStepFor(
  visit: Visit,
  error: EngineError,
  to: string | undefined,
): Promise<Response | undefined> {
  const { ticket, methods } = error.handed as { readonly ticket: string; readonly methods?: readonly string[] }
  if (error.code === 'second_factor_required') return stepPage(visit, { ticket, to, methods: methods ?? [] }, 200)
  if (error.code !== 'second_factor_setup_required') return undefined
  return setUpPage(visit, { ticket, to, ...(await outputOf(beginSetup, visit.opened, { ticket })) }, 200)
}

interface Step {
  /** Empty for a passkey alone. */
  readonly ticket: string
  readonly to: string | undefined
  /** What the account has. */
  readonly methods: readonly string[]
}

async function stepPage(visit: Visit, step: Step, status: number, result?: Result): Promise<Response> {
  const { setting, answering } = visit
  const { signed, assets } = setting
  const { title, lead, code, withPasskey, passkeyLead } = signed.secondStep
  const takesCode = step.methods.some((method) => method !== 'passkey')
  const passkey = step.methods.includes('passkey') && (await passkeyPart(visit, step))
  const codes = html`<form method="post" action="${action(visit, 'step')}">${fieldsOf(step)}
${codeField(code)}<button type="submit">${signed.signIn.button}</button></form>`
  const content = html`<div class="card"><h1>${takesCode ? title : withPasskey}</h1>
${resultBox(result)}
${takesCode && html`<p class="lead">${lead}</p>${codes}`}
${passkey && html`<p class="lead">${passkeyLead}</p>${passkey}`}</div>`
  const scripts = passkey ? [assets.passkey] : []
  return answering.page(status, signedFrame({ title, content, kind: 'sign-in', scripts, isOnce: true }, setting))
}

async function passkeyPart(visit: Visit, step: Step) {
  const asked = step.ticket === '' ? {} : { ticket: step.ticket }
  const { ticket, options } = await outputOf(beginPasskeySignIn, visit.opened, asked)
  const fields = fieldsOf({ ...step, ticket })
  const form = { action: action(visit, 'step'), asks: 'get', options, fields } as const
  return passkeyForm({ ...form, button: visit.setting.signed.secondStep.usePasskey }, visit.setting)
}

function action({ setting }: Visit, name: 'step' | 'setup'): string {
  return withLanguage(`${setting.area.home}/sign-in-${name}`, setting)
}

function fieldsOf({ ticket, to, methods }: Step) {
  return html`<input type="hidden" name="ticket" value="${ticket}"><input type="hidden" name="methods" value="${methods.join(' ')}">
${to !== undefined && html`<input type="hidden" name="to" value="${to}">`}`
}

/** The page of a sign-in with a passkey alone. */
async function askPasskey(visit: Visit): Promise<Response> {
  const { request, setting, answering } = visit
  const to = requestedPlace(setting.area, request.req.query('to') ?? null)
  try {
    return await stepPage(visit, { ticket: '', to, methods: ['passkey'] }, 200)
  } catch (error) {
    if (!isOneOf(error, 'passkeys_unavailable')) throw error
    return answering.redirect(withLanguage(addressIn(setting.area, to), setting))
  }
}

async function finish(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { setting, opened } = visit
  const to = requestedPlace(setting.area, form.get('to'))
  const ticket = form.get('ticket') ?? ''
  const passkey = answerIn(form.get('passkey'))
  const methods = (form.get('methods') ?? '').split(' ').filter((name) => /^[a-z_]{1,20}$/.test(name))
  try {
    const given = passkey === undefined ? { code: form.get('code') ?? '' } : { passkey }
    return welcomeIn(visit, await outputOf(loginSecondFactor, opened, { ticket, ...given }), to)
  } catch (error) {
    return refused(visit, error, to, (status, result) => {
      const isAlone = methods.join() === 'passkey'
      return stepPage(visit, { ticket: isAlone && passkey !== undefined ? '' : ticket, to, methods }, status, result)
    })
  }
}

/** What a script has put into a form; undefined if there is none or it is no answer. */
export function answerIn(text: string | null): Readonly<Record<string, unknown>> | undefined {
  try {
    const answer: unknown = JSON.parse(text ?? '')
    return typeof answer === 'object' && answer !== null ? { ...answer } : undefined
  } catch {
    return undefined
  }
}

/** Answers with the page of the step again, or with that of the sign-in if its ticket is over. */
async function refused(
  visit: Visit,
  error: unknown,
  to: string | undefined,
  again: (status: number, result: Result) => Promise<Response>,
): Promise<Response> {
  const { answering, setting } = visit
  const { secondStep, signIn, signOn } = setting.signed
  const bad = (text: string): Result => ({ kind: 'bad', text })
  if (isOneOf(error, 'ticket_not_valid'))
    return answering.page(410, signInPage({ result: bad(secondStep.over), to }, visit))
  if (isOneOf(error, 'wrong_code', 'invalid_input')) return again(422, bad(secondStep.wrong))
  if (isOneOf(error, 'too_busy')) return again(503, bad(signIn.busy))
  if (isEngineError(error, 'sign_on_required'))
    return answering.page(
      403,
      signInPage({ result: bad(signOn.required({ name: String(error.params.name) })), to }, visit),
    )
  if (!isEngineError(error, 'too_many_attempts') && !isEngineError(error, 'too_many_requests')) throw error
  const seconds = Number(error.params.seconds)
  const response = await again(429, bad(signIn.locked({ seconds })))
  response.headers.set('Retry-After', String(seconds))
  return response
}

interface SetUp {
  readonly ticket: string
  readonly to: string | undefined
  readonly enrolment: string
  readonly secret: string
  readonly uri: string
}

async function setUpPage(visit: Visit, asked: SetUp, status: number, result?: Result): Promise<Response> {
  const { setting, answering, opened } = visit
  const { title, lead, button } = setting.signed.secondStep.setUp
  const { ticket, to, enrolment, secret, uri } = asked
  const form = html`<form method="post" action="${action(visit, 'setup')}">${fieldsOf({ ticket, to, methods: [] })}
<input type="hidden" name="enrolment" value="${enrolment}"><input type="hidden" name="secret" value="${secret}"><input type="hidden" name="uri" value="${uri}">
${codeField(setting.signed.secondStep.code)}<button type="submit">${button}</button></form>`
  const content = html`<div class="card"><h1>${title}</h1><p class="lead">${lead}</p>${resultBox(result)}
${await secretPart(opened.context, { secret, uri }, setting)}${form}</div>`
  return answering.page(status, signedFrame({ title, content, kind: 'sign-in', isOnce: true }, setting))
}

async function setUp(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { setting, answering, opened } = visit
  const { codes, setUp: words } = setting.signed.secondStep
  const field = (name: string) => form.get(name) ?? ''
  const to = requestedPlace(setting.area, form.get('to'))
  const given = { ticket: field('ticket'), enrolment: field('enrolment') }
  try {
    const input = { ...given, code: field('code'), name: words.name }
    const { recovery_codes = [], session } = await outputOf(confirmSetup, opened, input)
    const next = withLanguage(addressIn(setting.area, to), setting)
    const content = html`<div class="card"><h1>${codes.title}</h1><p class="lead">${codes.lead}</p>
${recoveryCodes(recovery_codes)}<p><a href="${next}">${codes.goOn}</a></p></div>`
    const page = await answering.page(
      200,
      signedFrame({ title: codes.title, content, kind: 'sign-in', isOnce: true }, setting),
    )
    if (session !== undefined) page.headers.append('Set-Cookie', sessionHeader(visit, session))
    return page
  } catch (error) {
    const asked = { ...given, to, secret: field('secret'), uri: field('uri') }
    return refused(visit, error, to, (status, result) => setUpPage(visit, asked, status, result))
  }
}
