import type { Hono, Context as Request } from 'hono'
import { matches } from '../../http/headers.ts'
import { translated } from '../../http/language.ts'
import type { Gateway } from '../../node/gateway.ts'
import { catalogueHome, type WebhookCatalogue } from '../../node/webhook-catalogue.ts'
import { type Answering, tagOf } from '../answer.ts'
import type { Setting } from '../frame.ts'
import type { Html } from '../words.ts'
import { eventPage } from './event.ts'
import { cataloguePage, unknownEventPage } from './page.ts'

/** What the pages need. */
interface CataloguePages {
  readonly gateway: Gateway
  readonly answering: Answering
  readonly catalogue: WebhookCatalogue
  /** Differs with everything that the pages are made of besides the catalogue. */
  readonly edition: string
  settingOf(request: Request): Setting
}

/** Adds `/webhook-events`, the catalogue of webhook events, and a page for each. They are the same for everybody. */
export function addCatalogue(app: Hono, pages: CataloguePages): void {
  const { catalogue } = pages
  app.get(catalogueHome, (request) =>
    answer(request, pages, (setting) => ({ status: 200, page: cataloguePage(catalogue, setting) })),
  )
  app.get(`${catalogueHome}/:event`, (request) =>
    answer(request, pages, (setting, baseUrl) => {
      const name = request.req.param('event')
      const eventType = catalogue.eventTypes.find((one) => one.name === name)
      if (eventType === undefined) return { status: 404, page: unknownEventPage(setting) }
      return { status: 200, page: eventPage(eventType, catalogue.describe(eventType, baseUrl), setting) }
    }),
  )
}

async function answer(
  request: Request,
  { gateway, answering, edition, settingOf }: CataloguePages,
  make: (setting: Setting, baseUrl: string) => { readonly status: number; readonly page: Html },
): Promise<Response> {
  const opened = gateway.open(request)
  opened.take('public_reads')
  const setting = settingOf(request)
  const { baseUrl } = opened.context
  const tag = tagOf(edition, baseUrl, request.req.path, setting.texts.lang, setting.chosen ?? '')
  const headers = translated({}, setting.texts.lang)
  const isKnown = matches(request.req.header('if-none-match'), tag)
  const made = isKnown ? undefined : make(setting, baseUrl)
  const response = made === undefined ? answering.notModified(tag) : await answering.page(made.status, made.page, tag)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
