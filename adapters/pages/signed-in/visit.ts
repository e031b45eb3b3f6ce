import type { Handler, Hono, Context as Request } from 'hono'
import { type Code, isEngineError } from '../../../engine/index.ts'
import { isFileForm, isForm, readForm } from '../../http/form.ts'
import { retryHeaders } from '../../http/retry.ts'
import type { Gateway, OpenRequest } from '../../node/gateway.ts'
import type { Answering } from '../answer.ts'
import type { Html } from '../words.ts'
import { addressIn, placeIn, type SignedSetting, withLanguage } from './area.ts'
import { isOwn, isSame } from './form.ts'
import { messagePage, type Result } from './layout.ts'
import { type SessionCookie, sessionCookie, type Visitor, visitorBy } from './session.ts'

import { arrivingPage, signInPage } from './sign-in.ts'

/** What serves the pages of an area. */
export interface Served<Setting extends SignedSetting> {
  readonly gateway: Gateway
  readonly setting: Setting
  /** The setting of a request, in the language of the reader. */
  readonly settingOf: (request: Request) => Setting
  readonly answering: Answering
  /** Whether the server is reached by https. */
  readonly hsts: boolean
}

/** One request to the pages of an area. */
export interface Visit<Setting extends SignedSetting = SignedSetting> extends Served<Setting> {
  readonly request: Request
  readonly opened: OpenRequest
  readonly isSecure: boolean
  readonly cookie: SessionCookie
  /** The page of the area that was requested, or that a form belongs to; undefined for the first page. */
  readonly place: string | undefined
}

/** Answers a request. */
type Serve<Setting extends SignedSetting> = (visit: Visit<Setting>) => Promise<Response>

/** Adds a route. Errors become pages too, and no response may be cached. */
export function route<Setting extends SignedSetting>(
  app: Hono,
  method: 'get' | 'post',
  path: string,
  serve: Serve<Setting>,
) {
  return (served: Served<Setting>) => {
    const handler: Handler = async (request) => {
      const visit = begin(request, served)
      const answer = async () => {
        visit.opened.take(method === 'get' ? 'public_reads' : 'public_calls')
        return serve(visit)
      }
      return unstored(await answer().catch((error: unknown) => failure(error, visit)))
    }
    app[method](path, handler)
  }
}

function begin<Setting extends SignedSetting>(request: Request, served: Served<Setting>): Visit<Setting> {
  const opened = served.gateway.open(request)
  const isSecure = served.hsts || opened.context.baseUrl.startsWith('https:')
  const setting = served.settingOf(request)
  const { area } = setting
  const place = placeIn(area, request.req.path.slice(area.home.length + 1))
  return { ...served, setting, request, opened, isSecure, cookie: sessionCookie(isSecure), place }
}

/** The id in a text, if it is one. */
export function idIn(text: string | null | undefined): number | undefined {
  return text != null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** The requested page of a list, by default the first. */
export function pageIn({ req }: Request): number {
  return Math.min(idIn(req.query('page')) ?? 1, 1_000_000)
}

/** Responses are not cached. The referrer policy keeps the origin in form requests, which `isOwn` checks. */
function unstored(response: Response): Response {
  response.headers.set('Cache-Control', 'no-store')
  response.headers.set('Referrer-Policy', 'same-origin')
  return response
}

/** Serves signed-in visitors; others get the sign-in form. */
export function signedIn<Setting extends SignedSetting>(
  serve: (visit: Visit<Setting>, visitor: Visitor) => Promise<Response>,
): Serve<Setting> {
  return async (visit) => {
    const visitor = await visitorOf(visit)
    return visitor === undefined ? welcome(visit) : serve(visit, visitor)
  }
}

async function visitorOf({ request, opened, cookie, setting }: Visit): Promise<Visitor | undefined> {
  const token = cookie.read(request)
  return token === undefined ? undefined : visitorBy(token, opened, setting.texts.lang)
}

/**
 * The page for visitors without a session, or whose session is not known yet: links from other sites carry no cookie.
 */
function welcome(visit: Visit): Promise<Response> {
  const { request, setting, answering, cookie, place } = visit
  const { req } = request
  const hadSession = cookie.read(request) !== undefined
  if (!hadSession && req.header('sec-fetch-site') === 'cross-site' && req.query('arrived') === undefined)
    return arriving(visit)
  const out = req.query('out') !== undefined && setting.signed.signIn.out
  const result: Result | undefined = out ? { kind: 'good', text: out } : undefined
  return answering.page(200, signInPage({ result, to: place }, visit))
}

async function arriving({ setting, answering, place }: Visit): Promise<Response> {
  const path = withLanguage(`${addressIn(setting.area, place)}?arrived=1`, setting)
  const response = await answering.page(200, arrivingPage(path, setting))
  response.headers.set('Refresh', `0; url=${path}`)
  return response
}

/** Accepts a form that one of our pages has sent. */
export function formOf<Setting extends SignedSetting>(
  serve: (visit: Visit<Setting>, form: URLSearchParams) => Promise<Response>,
): Serve<Setting> {
  return async (visit) => {
    const { request, isSecure, setting } = visit
    const { headers } = request.req.raw
    const { foreign, unreadable } = setting.signed
    if (!isOwn(headers, { host: request.req.header('host') ?? new URL(request.req.url).host, isSecure }))
      return message(visit, 403, foreign)
    if (!isForm(headers) && !(setting.area.takesFiles && isFileForm(headers))) return message(visit, 415, unreadable)
    const form = await readForm(request.req.raw, setting.area.formLimit)
    return form === undefined ? message(visit, 413, unreadable) : serve(visit, form)
  }
}

/** Accepts a form that the visitor's own session has produced. */
export function signedForm<Setting extends SignedSetting>(
  serve: (visit: Visit<Setting>, visitor: Visitor, form: URLSearchParams) => Promise<Response>,
): Serve<Setting> {
  return formOf(async (visit, form) => {
    const { setting, answering, place } = visit
    const visitor = await visitorOf(visit)
    if (visitor === undefined) {
      const result: Result = { kind: 'bad', text: setting.signed.signIn.over }
      return answering.page(401, signInPage({ result, to: place }, visit))
    }
    if (!isSame(form.get('form') ?? '', visitor.formToken)) return message(visit, 403, setting.signed.foreign, visitor)
    return serve(visit, visitor, form)
  })
}

interface Words {
  readonly title: string
  readonly lead: string | Html
  /** Replaces the link back. */
  readonly more?: unknown
}

/** A page with one message. */
export function message({ answering, setting }: Visit, status: number, words: Words, visitor?: Visitor) {
  return answering.page(status, messagePage(words, setting, visitor))
}

/** The page for unexpected errors and for a store that is unavailable. */
async function failure(error: unknown, visit: Visit): Promise<Response> {
  const { opened, setting } = visit
  if (isEngineError(error, 'too_many_requests')) {
    const { title, lead } = setting.texts.tooMany
    const response = await message(visit, 429, { title, lead: lead({ seconds: String(error.params.seconds) }) })
    for (const [name, value] of Object.entries(retryHeaders(429, error))) response.headers.set(name, value)
    return response
  }
  const isBusy = isOneOf(error, 'store_unavailable', 'too_busy')
  if (!isBusy) opened.report(error)
  const { failed } = setting.signed
  const more = `${failed.request} ${opened.context.requestId}`
  return message(visit, isBusy ? 503 : 500, { title: failed.title, lead: `${failed.lead} ${more}` })
}

/** Whether an error is one of these refusals. */
export function isOneOf(error: unknown, ...codes: readonly Code[]): boolean {
  return isEngineError(error) && codes.includes(error.code)
}
