import type { Context as Request } from 'hono'
import {
  type Context,
  curvesOf,
  EngineError,
  findVisible,
  isEngineError,
  isTerminal,
  linkTo,
  otepTracking,
  type Pause,
  type Profile,
  plannedFor,
  profileNamed,
  readVisible,
  type StreamName,
  type Timeline,
} from '../../../engine/index.ts'
import { anyOrigin } from '../../http/cross-origin.ts'
import { isForm, readForm } from '../../http/form.ts'
import { matches } from '../../http/headers.ts'
import { translated } from '../../http/language.ts'
import { isPersonal, passMembers, viewHeaders } from '../../http/pass.ts'
import { retryHeaders } from '../../http/retry.ts'
import { languageNamed } from '../../locales/negotiate.ts'
import { longRead } from '../../node/long-read.ts'
import { tagOf } from '../answer.ts'
import type { Setting } from '../frame.ts'
import { textsFor } from '../texts/index.ts'
import type { Html } from '../words.ts'
import { type Reader, zoneNamed } from './dates.ts'
import { lookFor, looksLike } from './look.ts'
import { answer, settingOf, type TrackPages, withHeaders } from './lookup.ts'
import { journeyMap, journeyPoints, mapTitle } from './map.ts'
import type { OpenerRefusal } from './opener.ts'
import { type Tracked, trackPage } from './page.ts'
import { sharedOf } from './pictures.ts'

/** Milliseconds that a page which was opened with a postal code stays open. */
const openFor = 3_600_000

/** Milliseconds for which a page has the same "now", and so the same tag. In every time zone, a day begins with one. */
const nowLength = 900_000

/** Largest form with a postal code, in bytes. */
const formLimit = 1_024

const privately = { 'Cache-Control': 'private, no-cache' }

const statuses: Readonly<Partial<Record<OpenerRefusal, number>>> = { wrong_postal_code: 403, too_many_requests: 429 }

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
    const lang = languageNamed(form?.get('lang'), 'page.track')
    const link = view === 'own' ? linkTo(context, stream, context.clock() + openFor) : undefined
    const query = queryOf({ [passMembers.link]: link, lang })
    const path = `/track/${encodeURIComponent(number)}${query && `?${query}`}`
    return withHeaders(pages.answering.redirect(path), link === undefined ? {} : privately)
  })
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
  const version = (await otepTracking.version?.(visitor, { tracking_number: number })(visitor))?.text ?? ''
  const { stream } = await findVisible(visitor, number)
  const look = await lookFor(visitor, { timeline: stream, number })
  const planned = await plannedFor(visitor, stream)
  const refused = refusal?.code as OpenerRefusal | undefined
  const { sendsMail } = visitor.messenger
  const state = [
    version,
    refused ?? '',
    looksLike(look),
    JSON.stringify(planned ?? ''),
    kept,
    reader.language,
    reader.zone ?? '',
    String(reader.now),
  ]
  const tag = tagOf(edition, draw.name, String(sendsMail), ...state)
  const status = (refused && statuses[refused]) ?? 200
  const styles = draw === trackPage && look?.style ? [look.style.hash] : []
  const headers = {
    ...translated({ Vary: viewHeaders }, reader.language),
    ...(isPrivate && privately),
    // A link or a postal code is given by the person who asks; no browser adds one by itself.
    ...(visitor.caller.kind === 'anonymous' && anyOrigin),
    ...(refusal && retryHeaders(status, refusal)),
    ...(draw === trackPage && answering.allowing({ styles, ancestors: pages.frameAncestors })),
  }
  if (matches(request.req.header('if-none-match'), tag)) return withHeaders(answering.notModified(tag), headers)
  const read = longRead(gateway.longReads, visitor)
  try {
    const { timeline, revision, view } = await readVisible(read.context, number)
    const profile = profileNamed(gateway.profiles, timeline.profile)
    const all = request.req.query('all') === '1'
    const shared = sharedOf(visitor, number)
    const curves = timeline.sensors === undefined ? [] : await curvesFor(read.context, stream, { timeline, view })
    const hasNews = sendsMail && !isOver(timeline, profile)
    const asked = { number, all, reader, pass, kept, refused }
    const tracked = { ...asked, timeline, revision, profile, view, look, planned, shared, curves, hasNews }
    const content = await draw(tracked, setting, read.context.pause)
    if (content === undefined) throw new EngineError('timeline_not_found')
    const answered = draw === drawMap ? answering.picture : answering.page
    return withHeaders(await answered(status, content, tag), headers)
  } finally {
    read.end()
  }
}

/** The curves of what sensors have measured, as far as a visitor may see them. */
function curvesFor(context: Context, stream: StreamName, { timeline, view }: Pick<Tracked, 'timeline' | 'view'>) {
  return curvesOf(context, stream, { subject: timeline.subject, publicly: view === 'reduced' })
}

/** Whether nothing more is expected to happen. */
function isOver({ current_status: status }: Timeline, profile: Profile): boolean {
  return status !== undefined && isTerminal(profile, status)
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
