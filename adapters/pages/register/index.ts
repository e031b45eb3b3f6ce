import type { Hono } from 'hono'
import { html } from 'hono/html'
import { appBootstrap, type Context, call, confirmOnPage, isEngineError, register } from '../../../engine/index.ts'
import { lettersIn } from '../../locales/messages.ts'
import { outputOf } from '../signed-in/account.ts'
import type { Result } from '../signed-in/layout.ts'
import { formOf, isOneOf, message, route, type Served } from '../signed-in/visit.ts'
import { addressOf, askPage, codePage, namesIn, type Reached, type Sent, type Shop } from './page.ts'
import { home, type RegisterSetting, type Visited } from './setting.ts'

/** The pages on which people register as customers of a client of an app: `/register/{app}/{client}`. */
export function addRegister(app: Hono, served: Served<RegisterSetting>): void {
  const path = `${home}/:app/:client`
  const routes = [
    route<RegisterSetting>(app, 'get', path, (visit) => atShop(visit, (shop) => ask(visit, shop, 200))),
    route<RegisterSetting>(
      app,
      'post',
      path,
      formOf((visit, form) => atShop(visit, (shop) => send(visit, shop, form))),
    ),
    route<RegisterSetting>(
      app,
      'post',
      `${path}/confirm`,
      formOf((visit, form) => atShop(visit, (shop) => confirm(visit, shop, form))),
    ),
    // The address of a form, when somebody opens it as a page.
    route<RegisterSetting>(app, 'get', `${path}/confirm`, (visit) =>
      atShop(visit, async (shop) => visit.answering.redirect(addressOf(shop, visit.setting))),
    ),
  ]
  for (const add of routes) add(served)
}

/** Serves an app at a client where people can register now. */
async function atShop(visit: Visited, serve: (shop: Shop) => Promise<Response>): Promise<Response> {
  const { request, opened, setting } = visit
  const [appCode, clientCode] = [request.req.param('app'), request.req.param('client')]
  const closed = (status: number) => message(visit, status, { ...setting.register.closed, more: '' })
  try {
    const { data } = await outputOf(appBootstrap, opened, { appCode, clientCode })
    return data.authentication.registration.enabled ? await serve(data) : await closed(403)
  } catch (error) {
    if (isOneOf(error, 'app_context_not_found')) return closed(404)
    if (isOneOf(error, 'app_unavailable', 'registration_closed')) return closed(403)
    throw error
  }
}

function ask({ answering, setting }: Visited, shop: Shop, status: number, entered = nobody, result?: Result) {
  return answering.page(status, askPage(shop, setting, entered, result))
}

const nobody: Reached = { email: '', phone: '' }

/** The context of a request, whose e-mails are in the language of the page. */
function contextOf({ opened, setting }: Visited): Context {
  return { ...opened.context, letters: lettersIn(setting.texts.lang) }
}

function reachedIn(form: URLSearchParams): Reached {
  const field = (name: string) => (form.get(name) ?? '').trim()
  // People write numbers in groups.
  return { email: field('email'), phone: field('phone').replace(/[\s().-]/g, '') }
}

async function send(visit: Visited, shop: Shop, form: URLSearchParams): Promise<Response> {
  const { answering, setting } = visit
  const { wrong } = setting.register
  const entered = reachedIn(form)
  const { email, phone } = entered
  const byPhone = shop.authentication.registration.phone_verification_required
  const input = { appCode: shop.app.code, clientCode: shop.client.code, email, ...(byPhone && { phone }) }
  try {
    const { registration } = await outputOf(register, { context: contextOf(visit) }, input)
    return await answering.page(200, codePage(shop, setting, { ...entered, registration, name: '' }))
  } catch (error) {
    if (!isEngineError(error, 'invalid_input')) throw error
    const isPhone = error.findings.every(({ path }) => path === 'phone')
    return ask(visit, shop, 422, entered, { kind: 'bad', text: isPhone ? wrong.phone : wrong.email })
  }
}

async function confirm(visit: Visited, shop: Shop, form: URLSearchParams): Promise<Response> {
  const { answering, setting } = visit
  const field = (name: string) => (form.get(name) ?? '').trim()
  const sent: Sent = { ...reachedIn(form), registration: field('registration'), name: field('name') }
  const byPhone = shop.authentication.registration.phone_verification_required
  const input = {
    ...{ appCode: shop.app.code, clientCode: shop.client.code, registration: sent.registration, name: sent.name },
    ...{
      code: field('code'),
      password: form.get('password') ?? '',
      ...(byPhone && { phone_code: field('phone_code') }),
    },
  }
  try {
    const { status } = await call(confirmOnPage, contextOf(visit), input)
    return await done(visit, shop, status === 'open')
  } catch (error) {
    const [status, text] = whyNot(error, visit)
    const response = await answering.page(status, codePage(shop, setting, sent, { kind: 'bad', text }))
    if (isEngineError(error, 'too_many_attempts')) response.headers.set('Retry-After', String(error.params.seconds))
    return response
  }
}

function done(visit: Visited, shop: Shop, isOpen: boolean): Promise<Response> {
  const { open, pending, account } = visit.setting.register
  const { title, lead } = isOpen ? open : pending
  const more = isOpen && html`<p><a href="/account">${account}</a></p>`
  return message(visit, 200, { title, lead: lead(namesIn(shop)), more: more || '' })
}

/** The status and the text of a refusal. */
function whyNot(error: unknown, { setting }: Visited): readonly [status: number, text: string] {
  const { wrong } = setting.register
  const { locked, busy } = setting.signed.signIn
  if (isOneOf(error, 'wrong_code', 'phone_required')) return [422, wrong.code]
  if (isOneOf(error, 'email_taken')) return [409, wrong.taken]
  if (isOneOf(error, 'too_busy')) return [503, busy]
  if (isEngineError(error, 'too_many_attempts')) return [429, locked({ seconds: Number(error.params.seconds) })]
  if (!isEngineError(error, 'invalid_input')) throw error
  const is = (name: string) => error.findings.some(({ path }) => path === name)
  return [422, is('password') ? wrong.password : is('name') ? wrong.name : wrong.code]
}
