import { Hono, type Context as Request } from 'hono'
import { profileNamed } from '../../engine/index.ts'
import { matches } from '../http/headers.ts'
import type { FetchDocument } from '../node/documents.ts'
import type { Gateway } from '../node/gateway.ts'
import type { WebhookCatalogue } from '../node/webhook-catalogue.ts'
import { addOwnAccount } from './account/index.ts'
import { accountSetting, returnSetting } from './account/setting.ts'
import { type Answering, createAnswering, tagOf } from './answer.ts'
import { addApprovals } from './approvals/index.ts'
import { approvalSetting } from './approvals/setting.ts'
import { addCatalogue } from './catalogue/index.ts'
import { addConnections } from './connections/index.ts'
import { connectionSetting } from './connections/setting.ts'
import { addDocs } from './docs/index.ts'
import type { Setting } from './frame.ts'
import { homePage, originOf } from './home.ts'
import { addKeys } from './keys/index.ts'
import { keySetting } from './keys/setting.ts'
import { addMarkUps } from './mark-ups/index.ts'
import { markUpSetting } from './mark-ups/setting.ts'
import { addMoney } from './money/index.ts'
import { moneySetting } from './money/setting.ts'
import { contextText, namespacePage } from './namespace.ts'
import { addOrders } from './orders/index.ts'
import { orderSetting } from './orders/setting.ts'
import { addRecords } from './records/index.ts'
import { recordSetting } from './records/setting.ts'
import { addRegister } from './register/index.ts'
import { registerSetting } from './register/setting.ts'
import type { SignedSetting } from './signed-in/area.ts'
import { addSignOnReturn } from './signed-in/sign-on.ts'
import type { Served } from './signed-in/visit.ts'
import { type Assets, readAssets } from './static.ts'
import { pageTexts } from './texts/index.ts'
import { addToday } from './today/index.ts'
import { todaySetting } from './today/setting.ts'
import { answerCalendar } from './track/calendar.ts'
import { answerMap, answerPostalCode, answerTracking } from './track/index.ts'
import { journey } from './track/journey.ts'
import { settingOf, type TrackPages } from './track/lookup.ts'
import { addNews } from './track/news/index.ts'
import { answerCode, answerLogo } from './track/pictures.ts'
import { addTry } from './try/index.ts'
import { addWebhooks } from './webhooks/index.ts'
import { webhookSetting } from './webhooks/setting.ts'

/** How the pages are served. */
export interface PagesOptions {
  /** Whether the server is reached by https; the example commands then use https. */
  readonly hsts: boolean
  /** The webhook events that the catalogue shows. */
  readonly catalogue: WebhookCatalogue
  /** Fetches the metadata of programs. */
  readonly fetchDocument: FetchDocument
  /** Origins whose pages may show the tracking page in a frame. */
  readonly frameAncestors: readonly string[]
}

/**
 * The web pages: the first page, `/docs`, `/try`, `/webhook-events`, `/track/{number}` for recipients, `/register/{app}/{client}`, `/account`, `/mcp-approvals`, `/mcp-connections`, `/keys`,
 * `/money`, `/mark-ups`, `/today`, `/orders`, `/webhooks`, and their assets.
 */
export function createPages(gateway: Gateway, { hsts, catalogue, fetchDocument, frameAncestors }: PagesOptions): Hono {
  const assets = readAssets()
  const answering = createAnswering()
  const pages: TrackPages = { gateway, answering, assets, edition: editionOf(gateway, assets), frameAncestors }
  const setting = english(assets)
  const app = new Hono()
  app.get('/', (request) => answerHome(request, pages, hsts))
  app.get('/track', (request) => answerForm(request, pages))
  app.get('/track/', (request) => answerForm(request, pages))
  app.get('/track/:number{[^]+}', (request) => answerTracking(request, request.req.param('number'), pages))
  app.post('/track/:number{[^]+}', (request) => answerPostalCode(request, request.req.param('number'), pages))
  app.get('/track-map/:number{[^]+}', (request) => answerMap(request, request.req.param('number'), pages))
  app.get('/track-logo/:number{[^]+}', (request) => answerLogo(request, request.req.param('number'), pages))
  app.get('/track-calendar/:number{[^]+}', (request) => answerCalendar(request, request.req.param('number'), pages))
  app.get('/track-qr/:number{[^]+}', (request) => answerCode(request, request.req.param('number'), pages))
  addNews(app, pages)
  app.get('/ns/otep', (request) => answerNamespace(request, pages))
  const served = { gateway, answering, hsts }
  addTry(app, {
    gateway,
    answering,
    settingOf: (request) => settingOf(request, assets, 'page.try'),
    draw: (timeline, notShown, { texts }, { clock, pause }) => {
      const profile = profileNamed(gateway.profiles, timeline.profile)
      const reader = { language: texts.lang, now: clock() }
      return journey(timeline, { profile, texts, reader, most: 200, notShown }, pause)
    },
  })
  addDocs(app, { gateway, answering, setting, edition: pages.edition })
  addCatalogue(app, {
    ...{ gateway, answering, catalogue, edition: pages.edition },
    settingOf: (request) => settingOf(request, assets, 'page.catalogue'),
  })
  addSignedIn(app, served, pages, fetchDocument)
  for (const asset of Object.values(assets))
    app.get(asset.path, (request) => {
      gateway.open(request).take('public_reads')
      return answering.asset(asset)
    })
  app.get('/otep-timeline.js', (request) => answerComponent(request, pages))
  refuseOthers(app, answering)
  return app
}

/** Adds the pages of people who have signed in, and those on which they register. */
function addSignedIn(
  app: Hono,
  served: Pick<Served<SignedSetting>, 'gateway' | 'answering' | 'hsts'>,
  { assets }: TrackPages,
  fetchDocument: FetchDocument,
): void {
  const setting = english(assets)
  /** An area in the language of each reader. */
  const area = <Own extends SignedSetting>(own: (setting: Setting) => Own): Served<Own> => ({
    ...served,
    setting: own(setting),
    settingOf: (request) => own(settingOf(request, assets, 'page.signedIn')),
  })
  addSignOnReturn(app, area(returnSetting))
  addRegister(app, area(registerSetting))
  addOwnAccount(app, area(accountSetting))
  addApprovals(app, area(approvalSetting))
  addConnections(app, area(connectionSetting), fetchDocument)
  addOrders(app, area(orderSetting))
  addRecords(app, area(recordSetting))
  addKeys(app, area(keySetting))
  addMoney(app, area(moneySetting))
  addMarkUps(app, area(markUpSetting))
  addToday(app, area(todaySetting))
  addWebhooks(app, area(webhookSetting))
}

/** The addresses of pages that are only read, and of those that take forms. */
const addresses = {
  'GET, HEAD': [
    ...['/', '/ns/otep', '/otep-timeline.js', '/docs', '/docs/*', '/webhook-events/*'],
    ...['/track', '/track-map/*', '/track-logo/*', '/track-qr/*', '/track-calendar/*'],
    ...[
      '/account',
      '/mcp-approvals',
      '/mcp-connections',
      '/oauth/authorize',
      '/webhooks',
      '/today',
      '/orders',
      '/records',
    ],
  ],
  POST: ['/track-notify/*'],
  'GET, HEAD, POST': [
    '/try',
    '/track/*',
    '/track-confirm/*',
    '/track-stop/*',
    '/account/*',
    '/mcp-approvals/*',
    '/mcp-connections/*',
    '/webhooks/*',
    '/keys/*',
    '/money/*',
    '/mark-ups/*',
    '/today/*',
    '/orders/*',
    '/records/*',
    '/register/*',
  ],
}

/** Refuses the methods that a page does not have. */
function refuseOthers(app: Hono, { headers }: Answering): void {
  for (const [methods, paths] of Object.entries(addresses))
    for (const path of paths)
      app.all(path, () => new Response(null, { status: 405, headers: { ...headers, Allow: methods } }))
}

/** The web component at the address that shops write into their pages. */
function answerComponent(request: Request, { gateway, answering, assets }: TrackPages): Response {
  gateway.open(request).take('public_reads')
  const tag = tagOf(assets.timeline.path)
  const response = answering.component(assets.timeline, tag)
  const isKnown = matches(request.req.header('if-none-match'), tag)
  return isKnown ? new Response(null, { status: 304, headers: response.headers }) : response
}

function editionOf({ version }: Gateway, assets: Assets): string {
  return [version, ...Object.values(assets).map(({ path }) => path)].join(' ')
}

function answerHome(request: Request, { gateway, answering, assets }: TrackPages, hsts: boolean): Promise<Response> {
  const opened = gateway.open(request)
  opened.take('public_reads')
  const { context } = opened
  return answering.page(200, homePage(english(assets), originOf(request.req.header('host'), hsts), context.clock()))
}

/** The JSON-LD context, or the page for those who accept HTML and no JSON-LD. Both are the same for everybody. */
async function answerNamespace(
  request: Request,
  { gateway, answering, assets, edition }: TrackPages,
): Promise<Response> {
  gateway.open(request).take('public_reads')
  const accept = request.req.header('accept') ?? ''
  const isPage = accept.includes('text/html') && !accept.includes('application/ld+json')
  const tag = tagOf(edition, String(isPage))
  const shared = { ...answering.headers, 'Cache-Control': 'public, max-age=86400', Vary: 'Accept', ETag: tag }
  const headers = { ...shared, 'Access-Control-Allow-Origin': '*' }
  if (matches(request.req.header('if-none-match'), tag)) return new Response(null, { status: 304, headers })
  const type = isPage ? 'text/html; charset=utf-8' : 'application/ld+json'
  const body = isPage ? String(await namespacePage(english(assets))) : contextText
  return new Response(body, { headers: { ...headers, 'Content-Type': type } })
}

/**
 * Redirects the form to the page of the number. A path of dots alone would vanish, so such a number is answered here.
 */
async function answerForm(request: Request, pages: TrackPages): Promise<Response> {
  const number = (request.req.query('number') ?? '').trim().slice(0, 501).toWellFormed()
  if (number === '.' || number === '..') return answerTracking(request, number, pages)
  const { chosen } = settingOf(request, pages.assets)
  const query = chosen === undefined ? '' : `?lang=${chosen}`
  return pages.answering.redirect(number === '' ? '/' : `/track/${encodeURIComponent(number)}${query}`)
}

function english(assets: Assets): Setting {
  return { texts: pageTexts('en'), assets, translations: 'page.track' }
}
