import { html } from 'hono/html'
import {
  type Finding,
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  redeliverWebhooks,
  replayWebhookDeliveries,
  retryWebhookDelivery,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import { nothingWrong, refusalIn, refusalOf, statusFor, wrongIn } from '../signed-in/refusals.ts'
import type { Visitor } from '../signed-in/session.ts'
import { isOneOf } from '../signed-in/visit.ts'
import { deliveryPage } from './delivery.ts'
import { fieldOf, filterIn, inputOf, instantIn, queryOf } from './filter.ts'
import { logPage, type ShownLog } from './log.ts'
import type { Delivery } from './parts.ts'
import { orMissing } from './refusals.ts'
import { log, type Visited } from './setting.ts'

const perPage = 20

/** Shows the deliveries that match the filter. */
export function showLog(visit: Visited, visitor: Visitor): Promise<Response> {
  const [name, replayed, left] = confirmationIn(visit.request, visitor)
  const { replay } = visit.setting.webhooks
  const text = Number(replayed) === 0 ? replay.nothing : replay.done({ replayed: Number(replayed), left: Number(left) })
  const done: Result = { kind: 'good', text }
  return logWith(visit, visitor, 200, { result: name === 'replayed' ? done : undefined })
}

function placeOf({ path }: Finding): string {
  const [name = ''] = path.split('[')
  return name === 'states' ? 'state' : fieldOf(name)
}

async function logWith(
  visit: Visited,
  visitor: Visitor,
  status: number,
  more: Pick<ShownLog, 'result' | 'replay'>,
): Promise<Response> {
  const { request, answering, setting } = visit
  const filter = filterIn(new URL(request.req.url).searchParams)
  const cursor = cursorIn(request)
  const shown = { filter, cursor, wrong: nothingWrong, ...more }
  return orMissing(visit, visitor, async () => {
    try {
      const query = { ...inputOf(filter, visitor), per_page: perPage, ...(cursor === undefined ? {} : { cursor }) }
      const listed = await outputOf(listWebhookDeliveries, visitor, query)
      return await answering.page(status, logPage({ ...shown, listed }, visitor, setting))
    } catch (error) {
      const { deliveries: words } = setting.webhooks
      const refused = refusalIn(error)
      const isUnknown = isOneOf(refused, 'customer_not_found')
      if (!isUnknown && !isOneOf(refused, 'invalid_input')) throw refused
      const wrong = isUnknown
        ? new Map([['customer', [html`${words.noCustomer}`]]])
        : wrongIn(refused, visitor, placeOf, { at: words.wrongAt })
      const result: Result = { kind: 'bad', text: words.wrong }
      return answering.page(isUnknown ? 404 : 422, logPage({ ...shown, wrong, result }, visitor, setting))
    }
  })
}

/** The cursor in an address; any other text is as none. */
function cursorIn({ req }: Visited['request']): string | undefined {
  const cursor = req.query('cursor') ?? ''
  return /^\d{1,16}-\d{1,16}$/.test(cursor) ? cursor : undefined
}

/** Sends the ticked deliveries again, and redirects to the log with its filter. */
export function redeliverChosen(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { answering, request, setting } = visit
  const delivery_ids = form.getAll('delivery').slice(0, 200)
  const query = queryOf(filterIn(new URL(request.req.url).searchParams))
  return orMissing(visit, visitor, async () => {
    if (delivery_ids.length === 0) {
      const result: Result = { kind: 'bad', text: setting.webhooks.deliveries.noneChosen }
      return logWith(visit, visitor, 422, { result })
    }
    const { replayed, left } = await outputOf(redeliverWebhooks, visitor, { delivery_ids })
    const to = `${log}?${confirmationQuery(visitor, ['replayed', replayed, left])}&${query}`
    return answering.redirect(withLanguage(to, setting))
  })
}

/** Replays many deliveries, and redirects to a page that says how many. */
export async function replayMany(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { timeZone } = visitor.account.business
  const limit = (form.get('limit') ?? '').trim()
  const at = (name: string) => instantIn(form.get(name) ?? '', timeZone)
  const input = {
    states: form.getAll('state'),
    since: at('since'),
    until: at('until'),
    ...(limit === '' ? {} : { limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit }),
  }
  return orMissing(visit, visitor, async () => {
    try {
      const { replayed, left } = await outputOf(replayWebhookDeliveries, visitor, input)
      const to = `${log}?${confirmationQuery(visitor, ['replayed', replayed, left])}`
      return visit.answering.redirect(withLanguage(to, visit.setting))
    } catch (error) {
      const refused = refusalIn(error)
      if (statusFor(refused) === 403) throw error
      const { replay: words } = visit.setting.webhooks
      const wrong = wrongIn(refused, visitor, placeOf, { at: words.wrongAt })
      const result: Result = wrong.size === 0 ? refusalOf(refused, visitor) : { kind: 'bad', text: words.wrong }
      return logWith(visit, visitor, statusFor(refused), { result, replay: { form, wrong } })
    }
  })
}

/** Shows one delivery. */
export function showDelivery(visit: Visited, visitor: Visitor): Promise<Response> {
  const { redelivered, retried } = visit.setting.webhooks.delivery
  const [name] = confirmationIn(visit.request, visitor)
  const text = name === 'redelivered' ? redelivered : name === 'retried' ? retried : undefined
  return deliveryWith(visit, visitor, 200, text === undefined ? undefined : { kind: 'good', text })
}

function deliveryWith(visit: Visited, visitor: Visitor, status: number, result: Result | undefined): Promise<Response> {
  const { answering, setting } = visit
  return orMissing(visit, visitor, async () => {
    const { delivery } = await outputOf(getWebhookDelivery, visitor, { delivery_id: idOf(visit) })
    const redeliveries = await redeliveriesOf(delivery, visitor)
    return answering.page(status, deliveryPage({ delivery, redeliveries, result }, visitor, setting))
  })
}

function idOf({ request }: Visited): string {
  return request.req.param('delivery') ?? ''
}

/** Recent deliveries of the same event to the same URL that redeliver this one. */
async function redeliveriesOf(delivery: Delivery, visitor: Visitor): Promise<readonly string[]> {
  const { delivery_id, event, subject, endpoint_id, created_at: since } = delivery
  const query = { event, subject, endpoint_id, since, per_page: 100 }
  const { deliveries } = await outputOf(listWebhookDeliveries, visitor, query)
  return deliveries.filter((one) => one.redelivery_of === delivery_id).map((one) => one.delivery_id)
}

/** Redelivers a delivery as a new one, and redirects there. */
export function redeliver(visit: Visited, visitor: Visitor): Promise<Response> {
  return again(visit, visitor, redeliverWebhook, 'redelivered')
}

/** Restarts the attempts of a dead delivery. */
export function retry(visit: Visited, visitor: Visitor): Promise<Response> {
  return again(visit, visitor, retryWebhookDelivery, 'retried')
}

async function again(
  visit: Visited,
  visitor: Visitor,
  send: typeof redeliverWebhook | typeof retryWebhookDelivery,
  said: string,
): Promise<Response> {
  return orMissing(visit, visitor, async () => {
    try {
      const { delivery } = await outputOf(send, visitor, { delivery_id: idOf(visit) })
      const to = `${log}/${delivery.delivery_id}?${confirmationQuery(visitor, [said])}`
      return visit.answering.redirect(withLanguage(to, visit.setting))
    } catch (error) {
      const refused = refusalIn(error)
      if (statusFor(refused) === 403 || refused.code === 'delivery_not_found') throw error
      return deliveryWith(visit, visitor, statusFor(refused), refusalOf(refused, visitor))
    }
  })
}
