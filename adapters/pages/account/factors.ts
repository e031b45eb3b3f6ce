import { html } from 'hono/html'
import {
  beginAuthenticator,
  beginPasskey,
  type Code,
  confirmAuthenticator,
  confirmPasskey,
  isEngineError,
  listFactors,
  messageOf,
  removeFactor,
  renewRecoveryCodes,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result } from '../signed-in/layout.ts'
import { answerIn, sessionHeader } from '../signed-in/second-step.ts'
import { type Visitor, visitorBy } from '../signed-in/session.ts'
import { idIn, isOneOf, message, signedForm } from '../signed-in/visit.ts'
import { appPage, codesPage, type Offer, passkeyPage } from './factor-pages.ts'
import { type AccountSetting, home, type Visited } from './setting.ts'

type Serve = (visit: Visited, visitor: Visitor, form: URLSearchParams) => Promise<Response>

/** Serves a form that changes second factors; somebody whose sign-in is too old is asked to repeat it. */
function recently(serve: Serve) {
  return signedForm<AccountSetting>(async (visit, visitor, form) => {
    try {
      return await serve(visit, visitor, form)
    } catch (error) {
      if (!isOneOf(error, 'sign_in_again')) throw error
      const { title, lead, button } = visit.setting.own.factors.again
      const more = html`<form method="post" action="${withLanguage(`${home}/sign-out`, visit.setting)}">${formField(visitor.formToken)}<button type="submit">${button}</button></form>`
      return message(visit, 403, { title, lead, more }, visitor)
    }
  })
}

/** The result for a refusal of these kinds; others are thrown on. */
function refusalIn(error: unknown, { context }: Visitor, ...codes: readonly Code[]): Result {
  if (!isEngineError(error) || !codes.includes(error.code)) throw error
  const [finding] = error.findings
  const { code, params } = finding ?? error
  return { kind: 'bad', text: messageOf(code, params, context.messages) }
}

interface Added {
  readonly recovery_codes?: readonly string[]
  readonly session?: { readonly access_token: string; readonly expires_timestamp: number }
}

/** The page after a factor was added: with the first one, the recovery codes and the cookie of the session that goes on. */
async function added(visit: Visited, visitor: Visitor, { recovery_codes: codes, session }: Added): Promise<Response> {
  const { answering, setting, opened } = visit
  if (codes === undefined) return answering.redirect(withLanguage(home, setting))
  const next = (session && (await visitorBy(session.access_token, opened, setting.texts.lang))) ?? visitor
  const factors = await outputOf(listFactors, next, {})
  const page = await answering.page(200, codesPage(codes, next, setting, factors))
  if (session !== undefined) page.headers.append('Set-Cookie', sessionHeader(visit, session))
  return page
}

const offerApp: Serve = async ({ answering, setting }, visitor) => {
  const { result: _, ...offer } = await outputOf(beginAuthenticator, visitor, {})
  return answering.page(200, await appPage({ offer }, visitor, setting))
}

const confirmApp: Serve = async (visit, visitor, form) => {
  const { answering, setting } = visit
  const field = (name: keyof Offer | 'code' | 'name') => form.get(name) ?? ''
  const input = { enrolment: field('enrolment'), code: field('code'), name: field('name').trim() }
  try {
    return await added(visit, visitor, await outputOf(confirmAuthenticator, visitor, input))
  } catch (error) {
    const limits = ['too_many_attempts', 'too_many_requests'] as const
    const result = refusalIn(error, visitor, 'wrong_code', 'invalid_input', 'ticket_not_valid', ...limits)
    const offer = { enrolment: field('enrolment'), secret: field('secret'), uri: field('uri') }
    return answering.page(422, await appPage({ offer, name: input.name }, visitor, setting, result))
  }
}

const offerPasskey: Serve = async ({ answering, setting }, visitor) =>
  answering.page(200, passkeyPage(await outputOf(beginPasskey, visitor, {}), visitor, setting))

const confirmKey: Serve = async (visit, visitor, form) => {
  const { answering, setting } = visit
  const input = {
    enrolment: form.get('enrolment') ?? '',
    passkey: answerIn(form.get('passkey')) ?? {},
    name: (form.get('name') ?? '').trim(),
  }
  try {
    return await added(visit, visitor, await outputOf(confirmPasskey, visitor, input))
  } catch (error) {
    const codes = [
      'passkey_not_valid',
      'passkey_exists',
      'too_many_passkeys',
      'invalid_input',
      'ticket_not_valid',
    ] as const
    const result = refusalIn(error, visitor, ...codes)
    const offer = await outputOf(beginPasskey, visitor, {})
    return answering.page(422, passkeyPage(offer, visitor, setting, result))
  }
}

const renewCodes: Serve = async ({ answering, setting }, visitor) => {
  const { recovery_codes: codes } = await outputOf(renewRecoveryCodes, visitor, {})
  return answering.page(200, codesPage(codes, visitor, setting))
}

/** The forms of second factors, by path; `show` is the page of the account with a result. */
export function factorForms(
  show: (visit: Visited, visitor: Visitor, status: number, result: Result) => Promise<Response>,
) {
  const remove: Serve = async (visit, visitor, form) => {
    try {
      const { session } = await outputOf(removeFactor, visitor, { factor_id: idIn(form.get('factor')) })
      const response = visit.answering.redirect(withLanguage(home, visit.setting))
      if (session !== undefined) response.headers.append('Set-Cookie', sessionHeader(visit, session))
      return response
    } catch (error) {
      const result = refusalIn(error, visitor, 'factor_not_found', 'second_factor_needed', 'invalid_input')
      return show(visit, visitor, 409, result)
    }
  }
  return {
    authenticator: recently(offerApp),
    'authenticator/confirm': recently(confirmApp),
    passkey: recently(offerPasskey),
    'passkey/confirm': recently(confirmKey),
    'factors/remove': recently(remove),
    'recovery-codes': recently(renewCodes),
  }
}
