import { watchDeadlines } from '../../adapters/deadlines/index.ts'
import { errorLog } from '../../adapters/node/log.ts'
import { isoOf, reportHealth, urlFields } from '../../engine/index.ts'
import { type Json, type Live, until } from './live.test.fixture.ts'

/** The formats of document 3. */
export const formats = ['native', 'ce_binary', 'ce_structured'] as const

/** A format. */
export type Format = (typeof formats)[number]

/** What breaks headers, where it gets there: a line break, and letters beyond ASCII. */
export const nasty = {
  reference: 'Réf–参照 “ö”',
  note: 'Panne !\r\nX-Injected: 1\r\n\r\nñ 参照',
  number: 'TN-ß-Å-参照',
}

const minute = 60_000
const contact = { name: 'Zoë Ångström', phone: '+33 6 12 34 56 78', address: { street: '1 Rue', country: 'FR' } }
const price = {
  shipping_price: '10',
  currency: 'CAD',
  tax: '1.5',
  surcharges: [{ name: 'Heavy', surcharge_amount: '2.25' }],
}
const photo = (name: string) => `https://files.example/${name}.jpg`

/** Sets a URL for each field and format at the level of the caller, all with Standard Webhooks; `root` begins their paths. */
export async function setAllUrls(
  live: Live,
  token: string,
  root = '',
  wanted: readonly Format[] = formats,
): Promise<void> {
  const isCustomer = token === live.tokens.customer
  const fields = Object.keys(urlFields).filter((field) => !(isCustomer && field === 'route_board_webhook_url'))
  const urlOf = (field: string, format: Format) => live.receiver.urlOf(`${root}/${field}/${format}`)
  const urls = fields.map((field) => [field, wanted.map((format) => urlOf(field, format)).join(',')])
  const url_formats = fields.flatMap((field) =>
    wanted.map((format) => ({ field, url: urlOf(field, format), format, standard_signature: true })),
  )
  await live.ask(token, 'PUT', '/api/v1/webhook-settings', { ...Object.fromEntries(urls), url_formats })
}

/** Creates an order of the business, or of a customer, with everything that one may have. */
export async function order(live: Live, more: object = {}): Promise<Json> {
  const body = { type: 'D', items: 2, delivery: contact, price, ...more }
  return live.ask(live.tokens.client_admin, 'POST', '/api/v1/orders', body)
}

/** Causes every event that accounts receive (document 3, except for partners). */
export async function causeTenantEvents(live: Live): Promise<void> {
  await causeDeliveries(live)
  await causeOtherEnds(live)
  await causeBatch(live)
  await causeCallbacks(live)
  await causeDriverEvents(live)
  await causeBoardEvents(live)
  await causeDeviceEvents(live)
  await causeSensorEvents(live)
  await causeHealthEvents(live)
  await live.follow()
}

/** An order from its creation to its delivery, with proofs that staff then change, and a cancellation that is refused. */
async function causeDeliveries(live: Live): Promise<void> {
  const { ask, tokens, ids, send } = live
  const { client_admin: admin, driver } = tokens
  const { order_id } = await order(live, { reference: nasty.reference })
  const path = `/api/v1/orders/${order_id}`
  await ask(admin, 'POST', `${path}/ready`)
  await ask(admin, 'POST', `${path}/assign-driver`, { driver_id: ids.driver })
  await ask(driver, 'POST', `${path}/accept`)
  await ask(driver, 'POST', `${path}/start-pickup`)
  await ask(driver, 'POST', `${path}/pick-up`, { photo_urls: [photo('pick-up')] })
  const refused = await send('POST', `${path}/cancel`, { token: admin })
  if (refused.status !== 409) throw new Error(`the cancellation was not refused: ${JSON.stringify(refused.body)}`)
  await ask(driver, 'POST', `${path}/depart`)
  const proof = { photo_urls: [photo('door')], signature_url: photo('signature'), recipient: 'Zoë' }
  await ask(driver, 'POST', `${path}/complete`, { ...proof, note: nasty.note })
  await live.follow()
  const { file } = await ask(admin, 'POST', `${path}/proof-files`, { kind: 'photo', url: photo('late') })
  await ask(admin, 'PUT', `${path}/proof-files/${file.file_id}`, { url: photo('better') })
  await ask(admin, 'POST', `${path}/proof-files/${file.file_id}/restore`, { version: 1 })
  await ask(admin, 'DELETE', `${path}/proof-files/${file.file_id}`)
}

/** Orders that are rejected, taken back, failed, cancelled and deleted. */
async function causeOtherEnds(live: Live): Promise<void> {
  const { ask, tokens, ids } = live
  const { client_admin: admin, driver } = tokens
  const rejected = `/api/v1/orders/${(await order(live)).order_id}`
  await ask(admin, 'POST', `${rejected}/assign-driver`, { driver_id: ids.driver })
  await ask(driver, 'POST', `${rejected}/reject`, { note: nasty.note })
  await ask(admin, 'POST', `${rejected}/assign-driver`, { driver_id: ids.driver })
  await ask(admin, 'POST', `${rejected}/unassign-driver`)
  await ask(admin, 'POST', `${rejected}/cancel`)
  await ask(admin, 'POST', `${rejected}/delete`)
  const failed = `/api/v1/orders/${(await order(live)).order_id}`
  await ask(admin, 'POST', `${failed}/assign-driver`, { driver_id: ids.driver })
  for (const step of ['accept', 'start-pickup', 'pick-up', 'depart']) await ask(driver, 'POST', `${failed}/${step}`)
  await ask(driver, 'POST', `${failed}/fail`, { reason: 'deliver_later', photo_urls: [photo('closed')] })
}

async function causeBatch(live: Live): Promise<void> {
  const orders = [{ type: 'D', delivery: contact, reference: 'B-1' }, { type: 'D' }]
  await live.ask(live.tokens.client_admin, 'POST', '/api/v1/client/batchOrderCreateAsync', { orders })
  await live.follow()
}

/** An order, a batch and a job with a callback in each format: taken, moved, refused, finished. */
async function causeCallbacks(live: Live): Promise<void> {
  const { ask, tokens, receiver } = live
  for (const format of formats) {
    const callback = { url: receiver.urlOf(`/callback/${format}`), format, signature: 'standard' }
    const { order_id } = await order(live, { callback, reference: nasty.reference })
    await ask(tokens.client_admin, 'POST', `/api/v1/orders/${order_id}/cancel`)
    const batch = { orders: [{ type: 'D', callback }], callback }
    await ask(tokens.client_admin, 'POST', '/api/v1/client/batchOrderCreateAsync', batch)
    const job = { orders: [{ rate_id: 'rate_x.y' }], callback }
    await ask(tokens.client_admin, 'POST', '/api/v1/uniorder/batch-async', job)
  }
  await live.follow()
}

async function causeDriverEvents({ ask, tokens }: Live): Promise<void> {
  await ask(tokens.driver, 'POST', '/api/v1/drivers/on-duty', { on_duty: true })
  await ask(tokens.driver, 'POST', '/api/v1/drivers/location', { latitude: 43.6, longitude: -79.4 })
}

async function causeBoardEvents({ ask, tokens }: Live): Promise<void> {
  const { board } = await ask(tokens.client_admin, 'POST', '/api/v1/route-boards', { seats: 1 })
  const path = `/api/v1/route-boards/${board.board_id}`
  await ask(tokens.driver, 'POST', `${path}/claim`)
  await ask(tokens.client_admin, 'POST', `${path}/close`)
  await ask(tokens.client_admin, 'POST', `${path}/settle`)
}

/** Deposits something in a machine; returns its path, and its pickup code. */
async function stored(live: Live): Promise<{ readonly path: string; readonly pickup_code: string }> {
  const { ask, tokens, clock } = live
  const machine = { kind: 'delivery', device_type: 'locker', device_id: 4, device_name: 'Locker', grid_code: 'A-1' }
  const about = { reference_number: nasty.reference, recipient: { name: 'Zoë' } }
  const due_at = new Date(clock.now + 10 * minute).toISOString()
  const made = await ask(tokens.client_admin, 'POST', '/api/v1/device-orders', { ...machine, ...about, due_at })
  const path = `/api/v1/device-orders/${made.device_order_id}`
  const { pickup_code } = await ask(tokens.client_admin, 'POST', `${path}/store`)
  return { path, pickup_code }
}

async function causeDeviceEvents(live: Live): Promise<void> {
  const { ask, tokens, clock, parts } = live
  const { client_admin: admin } = tokens
  await ask(admin, 'PUT', '/api/v1/business/modules', { modules: { device_orders: 'on' } })
  const { path: collected, pickup_code } = await stored(live)
  const problem = { type: 'door_left_open', note: nasty.reference }
  const { exception_id } = await ask(admin, 'POST', `${collected}/exceptions`, problem)
  await ask(admin, 'POST', `${collected}/exceptions/${exception_id}/resolve`, { resolution_action: 'door_closed' })
  await ask(admin, 'POST', `${collected}/collect`, { pickup_code })
  const { path: late } = await stored(live)
  await live.settled()
  clock.now += 11 * minute
  const isOverdue = async () => {
    const once = new AbortController()
    await watchDeadlines(parts, { signal: once.signal, log: errorLog, wait: async () => once.abort() })
    return /"status":"overdue"/.test(JSON.stringify(await ask(admin, 'GET', late)))
  }
  // The read model may be behind a store that others use, too.
  await until(isOverdue, () => 'the end of the time of a device order')
  await ask(admin, 'POST', `${late}/remove`, { removal_reason: 'overdue_return' })
}

/** The parcel of an order is too warm for some minutes. */
async function causeSensorEvents(live: Live): Promise<void> {
  const { ask, tokens, clock } = live
  const { order_id } = await order(live)
  await live.follow()
  const { tracking_number } = await ask(tokens.client_admin, 'GET', `/api/v1/orders/${order_id}`).then(
    (answer) => answer.order,
  )
  await ask(tokens.client_admin, 'POST', '/api/v1/sensor-limits', { type: 'temperature', maximum: '8', order_id })
  const key = await live.addProvider('coldline')
  const at = (minutes: number) => isoOf(clock.now - minutes * minute)
  const readings = [12, 11, 5].map((value, index) => ({ type: 'temperature', value, time: at(30 - index * 10) }))
  await ask(key, 'POST', `/api/v1/otep/trackings/${tracking_number}/sensors`, { readings })
}

/** A URL is reported as failing for so long that it is switched off, is switched on by hand, and has recovered. */
async function causeHealthEvents({ ask, tokens, clock, parts, business }: Live): Promise<void> {
  await ask(tokens.client_admin, 'PUT', '/api/v1/webhook-settings', { disable_failing_after_days: 1 })
  const { urls } = await ask(tokens.client_admin, 'GET', '/api/v1/webhook-urls')
  const { endpoint_id } = urls.find(({ field }: Json) => field === 'route_board_webhook_url')
  const caller = { kind: 'operator', name: 'webhook-health', scopes: [] } as const
  const recording = { ...parts, caller, requestId: parts.randomId() }
  const report = async (since: object) =>
    reportHealth(recording, `business.${business}`, { at: isoOf(clock.now), endpoint_id, ...since })
  await report({ since: isoOf(clock.now - 2 * 24 * 60 * minute) })
  await ask(tokens.client_admin, 'PUT', `/api/v1/webhook-urls/${endpoint_id}`, { on: true })
  await report({})
}
