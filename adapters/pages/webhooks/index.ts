import type { Hono } from 'hono'
import { addAccount } from '../signed-in/account.ts'
import { addressIn } from '../signed-in/area.ts'
import { message, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { showCustomers } from './customers.ts'
import { exportLog } from './export.ts'
import { redeliver, redeliverChosen, replayMany, retry, showDelivery, showLog } from './log-actions.ts'
import { rebuildParked, showParked } from './parked.ts'
import { actOnSubscription, addSubscription, showPartners } from './partner-actions.ts'
import {
  addEndpoint,
  removeEndpoint,
  saveEndpoint,
  secretOfEndpoint,
  showProviders,
  testEndpoint,
} from './provider-actions.ts'
import {
  customersHome,
  home,
  log,
  parkedHome,
  partnersHome,
  providersHome,
  urlsHome,
  type Visited,
  type WebhookSetting,
} from './setting.ts'
import { saveSettings, secretOfSettings, showSettings, testSettings } from './settings-actions.ts'
import { showUrl, showUrls, tuneUrl } from './url-actions.ts'

const customer = `${customersHome}/:customer{[1-9][0-9]{0,14}}`
const delivery = `${log}/:delivery{[A-Za-z0-9_-]{1,64}}`
const url = `${urlsHome}/:endpoint{[A-Za-z0-9_-]{1,64}}`
const endpoint = `${providersHome}/:channel/:provider`
const secret = ':verb{reveal|rotate|expire}'

const pages = [
  [home, showSettings],
  [customersHome, showCustomers],
  [customer, showSettings],
  [providersHome, showProviders],
  [urlsHome, showUrls],
  [partnersHome, showPartners],
  [parkedHome, showParked],
  [url, showUrl],
  [log, showLog],
  [`${log}/export/:format{csv|ndjson}`, exportLog],
  [delivery, showDelivery],
] as const

const forms = [
  [`${home}/settings`, saveSettings],
  [`${home}/test`, testSettings],
  [`${home}/secret/${secret}`, secretOfSettings],
  [`${customer}/settings`, saveSettings],
  [`${customer}/test`, testSettings],
  [`${customer}/secret/${secret}`, secretOfSettings],
  [`${providersHome}/add`, addEndpoint],
  [`${endpoint}/save`, saveEndpoint],
  [`${endpoint}/test`, testEndpoint],
  [`${endpoint}/delete`, removeEndpoint],
  [`${endpoint}/secret/${secret}`, secretOfEndpoint],
  [`${url}/:verb{on|off|name|limits|headers}`, tuneUrl],
  [`${partnersHome}/add`, addSubscription],
  [`${partnersHome}/:provider/:id{[1-9][0-9]{0,14}}/:verb{test|revoke}`, actOnSubscription],
  [`${parkedHome}/rebuild`, rebuildParked],
  [`${log}/replay`, replayMany],
  [`${log}/redeliver`, redeliverChosen],
  [`${delivery}/redeliver`, redeliver],
  [`${delivery}/retry`, retry],
] as const

/** The pages on which people configure webhooks and see what was sent: `/webhooks` and all paths below it. */
export function addWebhooks(app: Hono, served: Served<WebhookSetting>): void {
  addAccount(app, served)
  for (const [path, act] of forms) {
    route(app, 'post', path, signedForm(act))(served)
    // The address of a form, when somebody opens it as a page.
    route<WebhookSetting>(app, 'get', path, back)(served)
  }
  for (const [path, show] of pages) route(app, 'get', path, signedIn(show))(served)
  route(app, 'get', `${home}/*`, signedIn(missing))(served)
}

async function back({ answering, setting, place, request }: Visited): Promise<Response> {
  return answering.redirect(`${addressIn(setting.area, place)}${new URL(request.req.url).search}`)
}

const missing: Parameters<typeof signedIn<WebhookSetting>>[0] = (visit, visitor) =>
  message(visit, 404, visit.setting.webhooks.missing, visitor)
