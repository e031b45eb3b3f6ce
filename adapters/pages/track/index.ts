import type { Context as Request } from 'hono'
import {
  authorizeAndValidate,
  type Context,
  EngineError,
  findVisible,
  isEngineError,
  kinds,
  linkTo,
  otepTracking,
  type Pause,
  profileNamed,
  readVisible,
} from '../../../engine/index.ts'
import { anyOrigin } from '../../http/cross-origin.ts'
import { isForm, readForm } from '../../http/form.ts'
import { challenge, matches } from '../../http/headers.ts'
import { pageLanguageNamed, pageLanguageOf, translated } from '../../http/language.ts'
import { isPersonal, passMembers, viewHeaders } from '../../http/pass.ts'
import { retryHeaders } from '../../http/retry.ts'
import { type Gateway, type OpenRequest, recognize } from '../../node/gateway.ts'
import { lookUp } from '../../node/limited.ts'
import { longRead } from '../../node/long-read.ts'
import { type Answering, tagOf } from '../answer.ts'
import type { Setting } from '../frame.ts'
import { failedPage, severalPage, tooManyPage, unknownCallerPage, unknownPage } from '../missing.ts'
import type { Assets } from '../static.ts'
import { pageTexts, textsFor } from '../texts/index.ts'
import type { Html } from '../words.ts'
import { type Reader, zoneNamed } from './dates.ts'
import { journeyMap, journeyPoints, mapTitle } from './map.ts'
import type { OpenerRefusal } from './opener.ts'
import { type Tracked, trackPage } from './page.ts'

/** What the pages of timelines need. */
export interface TrackPages {
  readonly gateway: Gateway
  readonly assets: Assets
  readonly answering: Answering
  /** Changes when the same timeline would give another page. */
  readonly edition: string
}

/** Milliseconds that a page which was opened with a postal code stays open. */
const openFor = 3_600_000

/** Milliseconds for which a page has the same "now", and so the same tag. In every time zone, a day begins with one. */
const nowLength = 900_000

/** Largest form with a postal code, in bytes. */
const formLimit = 1_024

const privately = { 'Cache-Control': 'private, no-cache' }

const statuses: Readonly<Partial<Record<OpenerRefusal, number>>> = { wrong_postal_code: 403, too_many_requests: 429 }

/** The texts of a page for recipients: in the language of its query, or else in that of the browser. */
export function settingOf({ req }: Request, assets: Assets): Setting {
  const chosen = pageLanguageNamed(req.query('lang'))
  return { texts: pageTexts[chosen ?? pageLanguageOf(req.header('accept-language'))], assets, chosen }
}

/** Answers the page of a number. */
export function answerTracking(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answerDrawn(request, number, pages, trackPage)
}

/** Answers the map of the journey of a number. */
export function answerMap(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answerDrawn(request, number, pages, drawMap)
}

function answerDrawn(request: Request, number: string, pages: TrackPages, draw: Draw): Promise<Response> {
  return answer(request, number, pages, async (context) => {
    const admission = await admitted(context, number)
    return answerPage(request, { ...admission, number, isPrivate: isPersonal(context) }, pages, draw)
  })
}

/** Answers the form for the postal code: if it is right, the visitor gets a link that is valid for an hour. */
export function answerPostalCode(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answer(request, number, pages, async (asking) => {
    const { headers } = request.req.raw
    const form = isForm(headers) ? await readForm(request.req.raw, formLimit) : undefined
    const context = { ...asking, pass: { postalCode: form?.get(passMembers.postalCode) ?? '' } }
    const admission = await admitted(context, number)
    if (admission.refusal !== undefined) return answerPage(request, { ...admission, number, isPrivate: true }, pages)
    const { stream, view } = await findVisible(context, number)
    const lang = pageLanguageNamed(form?.get('lang') ?? undefined)
    const link = view === 'own' ? linkTo(context, stream, context.clock() + openFor) : undefined
    const query = queryOf({ [passMembers.link]: link, lang })
    const path = `/track/${encodeURIComponent(number)}${query && `?${query}`}`
    return withHeaders(pages.answering.redirect(path), link === undefined ? {} : privately)
  })
}

/** Answers a lookup of a number, or says why it is refused. */
async function answer(
  request: Request,
  number: string,
  pages: TrackPages,
  found: (context: Context) => Promise<Response>,
): Promise<Response> {
  const opened = pages.gateway.open(request)
  try {
    opened.take('public_reads')
    const context = await recognize(opened, request)
    authorizeAndValidate(otepTracking, context, { tracking_number: number })
    return await lookUp(pages.gateway.limits, context.source, () => found(context))
  } catch (error) {
    return answerRefusal(error, { request, number }, opened, pages)
  }
}

/** A visitor of a number; without the postal code or link that was refused. */
interface Visitor {
  readonly visitor: Context
  readonly refusal?: EngineError | undefined
}

async function admitted(context: Context, number: string): Promise<Visitor> {
  if (context.pass === undefined) return { visitor: context }
  try {
    await findVisible(context, number)
    return { visitor: context }
  } catch (error) {
    if (!isEngineError(error) || !isOpenerRefusal(error.code)) throw error
    return { visitor: { ...context, pass: undefined }, refusal: error }
  }
}

function isOpenerRefusal(code: string): code is OpenerRefusal {
  return ['wrong_postal_code', 'invalid_link', 'too_many_requests'].includes(code)
}

interface Shown extends Visitor {
  readonly number: string
  readonly isPrivate: boolean
}

/** Makes the content of an answer, or undefined if there is none. */
type Draw = (tracked: Tracked, setting: Setting, pause: Pause) => Promise<Html | undefined>

/** The map, unless there are not two places to show. */
const drawMap: Draw = async ({ timeline, profile, reader }, { texts }) => {
  const points = journeyPoints(timeline.events, reader.language)
  if (points.length === 0) return undefined
  return journeyMap(points, mapTitle(points, textsFor(texts, profile), reader.language))
}

async function answerPage(
  request: Request,
  shown: Shown,
  pages: TrackPages,
  draw: Draw = trackPage,
): Promise<Response> {
  const { number, visitor, refusal, isPrivate } = shown
  const { gateway, answering, edition } = pages
  const setting = settingOf(request, pages.assets)
  const reader = readerOf(request, setting, visitor)
  const pass = queryOf(passIn(visitor))
  const kept = queryOf({ ...passIn(visitor), lang: setting.chosen })
  const version = (await otepTracking.version?.(visitor, { tracking_number: number })())?.text ?? ''
  const refused = refusal?.code as OpenerRefusal | undefined
  const tag = tagOf(
    edition,
    draw.name,
    version,
    refused ?? '',
    kept,
    reader.language,
    reader.zone ?? '',
    String(reader.now),
  )
  const status = (refused && statuses[refused]) ?? 200
  const headers = {
    ...translated({ Vary: viewHeaders }, reader.language),
    ...(isPrivate ? privately : anyOrigin),
    ...(refusal && retryHeaders(status, refusal)),
  }
  if (matches(request.req.header('if-none-match'), tag)) return withHeaders(answering.notModified(tag), headers)
  const read = longRead(gateway.longReads, visitor)
  try {
    const { timeline, revision, view } = await readVisible(read.context, number)
    const profile = profileNamed(gateway.profiles, timeline.profile)
    const all = request.req.query('all') === '1'
    const tracked = { number, timeline, revision, profile, all, view, reader, pass, kept, refused }
    const content = await draw(tracked, setting, read.context.pause)
    if (content === undefined) throw new EngineError('timeline_not_found')
    const answered = draw === drawMap ? answering.picture : answering.page
    return withHeaders(await answered(status, content, tag), headers)
  } finally {
    read.end()
  }
}

function readerOf({ req }: Request, { texts }: Setting, { clock }: Pick<Context, 'clock'>): Reader {
  const now = Math.floor(clock() / nowLength) * nowLength
  return { language: texts.lang, now, zone: zoneNamed(req.query('tz')) }
}

/** The members of a query that give the live stream of a page the view of the page. */
function passIn({ pass: { link, postalCode } = {} }: Context): Readonly<Record<string, string | undefined>> {
  return { [passMembers.link]: link, [passMembers.postalCode]: postalCode }
}

function queryOf(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined)
  return new URLSearchParams(present).toString()
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

async function answerRefusal(
  error: unknown,
  { request, number }: { readonly request: Request; readonly number: string },
  { context: { requestId }, report }: OpenRequest,
  { answering, assets }: TrackPages,
): Promise<Response> {
  const setting = settingOf(request, assets)
  const respond = async (status: number, page: Html) =>
    withHeaders(await answering.page(status, page), { ...anyOrigin, ...translated({}, setting.texts.lang) })
  if (isEngineError(error, 'timeline_not_found') || isEngineError(error, 'invalid_input')) {
    return respond(404, unknownPage(number, setting))
  }
  if (isEngineError(error, 'ambiguous_identifier')) return respond(409, severalPage(error, setting))
  if (isEngineError(error, 'too_many_requests')) {
    const page = await respond(429, tooManyPage(Number(error.params.seconds), setting))
    return withHeaders(page, retryHeaders(429, error))
  }
  if (isEngineError(error) && kinds[error.code] === 'unauthenticated') {
    const page = await respond(401, unknownCallerPage(setting))
    return withHeaders(page, { ...challenge, 'Cache-Control': 'no-store' })
  }
  const isBusy = isEngineError(error, 'store_unavailable')
  if (!isBusy) report(error)
  return respond(isBusy ? 503 : 500, failedPage(requestId, setting))
}
