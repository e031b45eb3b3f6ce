import type { Context as Request } from 'hono'
import { authorizeAndValidate, type Context, isEngineError, kinds, otepTracking } from '../../../engine/index.ts'
import { anyOrigin } from '../../http/cross-origin.ts'
import { challenge } from '../../http/headers.ts'
import { translated } from '../../http/language.ts'
import { retryHeaders } from '../../http/retry.ts'
import { languageNamed } from '../../locales/negotiate.ts'
import { type Gateway, type OpenRequest, recognize } from '../../node/gateway.ts'
import { lookUp } from '../../node/limited.ts'
import type { Answering } from '../answer.ts'
import type { Setting } from '../frame.ts'
import { failedPage, severalPage, tooManyPage, unknownCallerPage, unknownPage } from '../missing.ts'
import type { Assets } from '../static.ts'
import { pageTexts } from '../texts/index.ts'
import type { Html } from '../words.ts'

/** What the pages of timelines need. */
export interface TrackPages {
  readonly gateway: Gateway
  readonly assets: Assets
  readonly answering: Answering
  /** Changes when the same timeline would give another page. */
  readonly edition: string
  /** Origins whose pages may show the page of a number in a frame. */
  readonly frameAncestors: readonly string[]
}

/** The texts of a page: in the language of its query, or else in that of the browser, if it has the texts of the area. */
export function settingOf({ req }: Request, assets: Assets, area = 'page.track'): Setting {
  const chosen = languageNamed(req.query('lang'), area)
  const language = chosen ?? languageNamed(req.header('accept-language'), area) ?? 'en'
  return { texts: pageTexts(language), assets, chosen, translations: area }
}

/** Answers a lookup of a number, or says why it is refused. */
export async function answer(
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
    return await lookUp(pages.gateway.limits, context, () => found(context))
  } catch (error) {
    return answerRefusal(error, { request, number }, opened, pages)
  }
}

/** Sets headers of a response; an empty one is removed. */
export function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers))
    if (value === '') response.headers.delete(name)
    else response.headers.set(name, value)
  return response
}

/** Answers a request that was refused, or that failed. */
export async function answerRefusal(
  error: unknown,
  { request, number }: { readonly request: Request; readonly number: string },
  { context: { requestId }, report }: OpenRequest,
  { answering, assets, frameAncestors }: TrackPages,
): Promise<Response> {
  const setting = settingOf(request, assets)
  const respond = async (status: number, page: Html) =>
    withHeaders(await answering.page(status, page), {
      ...answering.allowing({ ancestors: frameAncestors }),
      ...anyOrigin,
      ...translated({}, setting.texts.lang),
    })
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
