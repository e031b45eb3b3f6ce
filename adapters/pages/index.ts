import { Hono, type Context as Request } from 'hono'
import {
  authorizeAndValidate,
  findStream,
  isEngineError,
  otepTracking,
  profileNamed,
  readTimeline,
} from '../../engine/index.ts'
import { matches } from '../http/headers.ts'
import { retryHeaders } from '../http/retry.ts'
import type { Gateway, OpenRequest } from '../node/gateway.ts'
import { lookUp } from '../node/limited.ts'
import { longRead } from '../node/long-read.ts'
import { type Answering, createAnswering, tagOf } from './answer.ts'
import { addApprovals } from './approvals/index.ts'
import { approvalSetting } from './approvals/setting.ts'
import type { Setting } from './frame.ts'
import { homePage, originOf } from './home.ts'
import { failedPage, severalPage, tooManyPage, unknownPage } from './missing.ts'
import { type Assets, readAssets } from './static.ts'
import { en } from './texts.ts'
import { trackPage } from './track/page.ts'
import { addWebhooks } from './webhooks/index.ts'
import { webhookSetting } from './webhooks/setting.ts'

/** How the pages are served. */
export interface PagesOptions {
  /** Whether the server is reached by https; the example commands then use https. */
  readonly hsts: boolean
}

interface Pages {
  readonly gateway: Gateway
  readonly setting: Setting
  readonly answering: Answering
  /** Changes when the same timeline would give another page. */
  readonly edition: string
}

/** The web pages: the first page, `/track/{number}` for recipients, `/mcp-approvals`, `/webhooks`, and their assets. */
export function createPages(gateway: Gateway, { hsts }: PagesOptions): Hono {
  const assets = readAssets()
  const answering = createAnswering()
  const pages: Pages = { gateway, answering, setting: { texts: en, assets }, edition: editionOf(gateway, assets) }
  const app = new Hono()
  app.get('/', (request) => answerHome(request, pages, hsts))
  app.get('/track', (request) => answerForm(request, pages))
  app.get('/track/', (request) => answerForm(request, pages))
  app.get('/track/:number{[^]+}', (request) => answerTracking(request, request.req.param('number'), pages))
  const served = { gateway, answering, hsts }
  addApprovals(app, { ...served, setting: approvalSetting(pages.setting) })
  addWebhooks(app, { ...served, setting: webhookSetting(pages.setting) })
  for (const asset of Object.values(assets))
    app.get(asset.path, (request) => {
      gateway.open(request).take('public_reads')
      return answering.asset(asset)
    })
  const refused = (methods: string) => () =>
    new Response(null, { status: 405, headers: { ...answering.headers, Allow: methods } })
  for (const path of ['/', '/track', '/track/*', '/mcp-approvals', '/webhooks']) app.all(path, refused('GET, HEAD'))
  for (const path of ['/mcp-approvals/*', '/webhooks/*']) app.all(path, refused('GET, HEAD, POST'))
  return app
}

function editionOf({ version }: Gateway, assets: Assets): string {
  return [version, ...Object.values(assets).map(({ path }) => path)].join(' ')
}

function answerHome(request: Request, { gateway, answering, setting }: Pages, hsts: boolean): Promise<Response> {
  const opened = gateway.open(request)
  opened.take('public_reads')
  const { context } = opened
  return answering.page(200, homePage(setting, originOf(request.req.header('host'), hsts), context.clock()))
}

/**
 * Redirects the form to the page of the number. A path of dots alone would vanish, so such a number is answered here.
 */
async function answerForm(request: Request, pages: Pages): Promise<Response> {
  const number = (request.req.query('number') ?? '').trim().slice(0, 501).toWellFormed()
  if (number === '.' || number === '..') return answerTracking(request, number, pages)
  return pages.answering.redirect(number === '' ? '/' : `/track/${encodeURIComponent(number)}`)
}

async function answerTracking(request: Request, number: string, pages: Pages): Promise<Response> {
  const { gateway, answering, setting, edition } = pages
  const opened = gateway.open(request)
  const { context } = opened
  try {
    opened.take('public_reads')
    const input = authorizeAndValidate(otepTracking, context, { tracking_number: number })
    return await lookUp(gateway.limits, context.source, async () => {
      const tag = tagOf(edition, (await otepTracking.version?.(context, input)()) ?? '')
      if (matches(request.req.header('if-none-match'), tag)) return answering.notModified(tag)
      const all = request.req.query('all') === '1'
      const read = longRead(gateway.longReads, context)
      try {
        const { timeline, revision } = await readTimeline(read.context, await findStream(context, number))
        const profile = profileNamed(gateway.profiles, timeline.profile)
        const tracked = { number, timeline, revision, profile, all }
        return await answering.page(200, await trackPage(tracked, setting, read.context.pause), tag)
      } finally {
        read.end()
      }
    })
  } catch (error) {
    return answerRefusal(error, number, opened, pages)
  }
}

async function answerRefusal(
  error: unknown,
  number: string,
  { context: { requestId }, report }: OpenRequest,
  { answering, setting }: Pages,
): Promise<Response> {
  if (isEngineError(error, 'timeline_not_found') || isEngineError(error, 'invalid_input')) {
    return answering.page(404, unknownPage(number, setting))
  }
  if (isEngineError(error, 'ambiguous_identifier')) return answering.page(409, severalPage(error, setting))
  if (isEngineError(error, 'too_many_requests')) {
    const response = await answering.page(429, tooManyPage(Number(error.params.seconds), setting))
    for (const [name, value] of Object.entries(retryHeaders(429, error))) response.headers.set(name, value)
    return response
  }
  const isBusy = isEngineError(error, 'store_unavailable')
  if (!isBusy) report(error)
  return answering.page(isBusy ? 503 : 500, failedPage(requestId, setting))
}
