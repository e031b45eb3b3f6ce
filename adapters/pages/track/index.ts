import type { Context as Request } from 'hono'
import {
  authorizeAndValidate,
  type Context,
  type EngineError,
  findVisible,
  isEngineError,
  kinds,
  linkTo,
  otepTracking,
  profileNamed,
  readVisible,
} from '../../../engine/index.ts'
import { challenge, matches } from '../../http/headers.ts'
import { isPersonal, passMembers, viewHeaders } from '../../http/pass.ts'
import { retryHeaders } from '../../http/retry.ts'
import { type Gateway, type OpenRequest, recognize } from '../../node/gateway.ts'
import { lookUp } from '../../node/limited.ts'
import { longRead } from '../../node/long-read.ts'
import { type Answering, tagOf } from '../answer.ts'
import type { Setting } from '../frame.ts'
import { failedPage, severalPage, tooManyPage, unknownCallerPage, unknownPage } from '../missing.ts'
import { isForm, readForm } from '../signed-in/form.ts'
import type { OpenerRefusal } from './opener.ts'
import { trackPage } from './page.ts'

/** What the pages of timelines need. */
export interface TrackPages {
  readonly gateway: Gateway
  readonly setting: Setting
  readonly answering: Answering
  /** Changes when the same timeline would give another page. */
  readonly edition: string
}

/** Milliseconds that a page which was opened with a postal code stays open. */
const openFor = 3_600_000

/** Largest form with a postal code, in bytes. */
const formLimit = 1_024

const privately = { 'Cache-Control': 'private, no-cache' }

const statuses: Readonly<Partial<Record<OpenerRefusal, number>>> = { wrong_postal_code: 403, too_many_requests: 429 }

/** Answers the page of a number. */
export function answerTracking(request: Request, number: string, pages: TrackPages): Promise<Response> {
  return answer(request, number, pages, async (context) => {
    const admission = await admitted(context, number)
    return answerPage(request, { ...admission, number, isPrivate: isPersonal(context) }, pages)
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
    const path = `/track/${encodeURIComponent(number)}`
    if (view !== 'own') return pages.answering.redirect(path)
    const link = linkTo(context, stream, context.clock() + openFor)
    return withHeaders(pages.answering.redirect(`${path}?${passMembers.link}=${link}`), privately)
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
    return answerRefusal(error, number, opened, pages)
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

async function answerPage(request: Request, shown: Shown, pages: TrackPages): Promise<Response> {
  const { number, visitor, refusal, isPrivate } = shown
  const { gateway, answering, setting, edition } = pages
  const pass = passIn(visitor)
  const version = (await otepTracking.version?.(visitor, { tracking_number: number })())?.text ?? ''
  const refused = refusal?.code as OpenerRefusal | undefined
  const tag = tagOf(edition, version, refused ?? '', pass)
  const status = (refused && statuses[refused]) ?? 200
  const headers = {
    Vary: viewHeaders,
    ...(isPrivate ? privately : {}),
    ...(refusal && retryHeaders(status, refusal)),
  }
  if (matches(request.req.header('if-none-match'), tag)) return withHeaders(answering.notModified(tag), headers)
  const read = longRead(gateway.longReads, visitor)
  try {
    const { timeline, revision, view } = await readVisible(read.context, number)
    const profile = profileNamed(gateway.profiles, timeline.profile)
    const all = request.req.query('all') === '1'
    const tracked = { number, timeline, revision, profile, all, view, pass, refused }
    const page = await trackPage(tracked, setting, read.context.pause)
    return withHeaders(await answering.page(status, page, tag), headers)
  } finally {
    read.end()
  }
}

/** The query that gives the live stream of a page the view of the page. */
function passIn({ pass: { link, postalCode } = {} }: Context): string {
  const members = [
    [passMembers.link, link],
    [passMembers.postalCode, postalCode],
  ].filter((member): member is [string, string] => member[1] !== undefined)
  return new URLSearchParams(members).toString()
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

async function answerRefusal(
  error: unknown,
  number: string,
  { context: { requestId }, report }: OpenRequest,
  { answering, setting }: TrackPages,
): Promise<Response> {
  if (isEngineError(error, 'timeline_not_found') || isEngineError(error, 'invalid_input')) {
    return answering.page(404, unknownPage(number, setting))
  }
  if (isEngineError(error, 'ambiguous_identifier')) return answering.page(409, severalPage(error, setting))
  if (isEngineError(error, 'too_many_requests')) {
    const page = await answering.page(429, tooManyPage(Number(error.params.seconds), setting))
    return withHeaders(page, retryHeaders(429, error))
  }
  if (isEngineError(error) && kinds[error.code] === 'unauthenticated') {
    const page = await answering.page(401, unknownCallerPage(setting))
    return withHeaders(page, { ...challenge, 'Cache-Control': 'no-store' })
  }
  const isBusy = isEngineError(error, 'store_unavailable')
  if (!isBusy) report(error)
  return answering.page(isBusy ? 503 : 500, failedPage(requestId, setting))
}
