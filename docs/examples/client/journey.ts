// A shop’s day with a generated client: `node dist/journey.js URL EMAIL PASSWORD PROVIDER_KEY`.
import createClient from 'openapi-fetch'
import type { components, paths } from './otep.ts'

type ErrorAnswer = components['schemas']['ErrorAnswer']
type PriceList = components['schemas']['PriceList']
type Shipment = Pick<components['schemas']['UniorderBooking'], 'from' | 'to' | 'parcels'>

const [url = '', email = '', password = '', providerKey = ''] = process.argv.slice(2)

/** A client with a token, which says every refusal with its code. */
const clientWith = (token?: string) =>
  createClient<paths, 'application/json'>({
    baseUrl: url,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  })

/** What was answered; throws what was refused. */
async function done<Data>(answer: Promise<{ data?: Data; error?: ErrorAnswer }>): Promise<Data> {
  const { data, error } = await answer
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`)
  return data
}

const ann = { name: 'Ann Lee', street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' }
const depot = { name: 'Acme', street: '2 Depot Road', postal_code: 'M4B 1B3', country: 'CA' }
const shipment: Shipment = { from: depot, to: ann, parcels: [{ weight_grams: 800 }] }
const priceList: PriceList = {
  currency: 'CAD',
  zones: [{ code: 'country', countries: ['CA'] }],
  services: [
    {
      code: 'standard',
      name: 'Standard',
      prices: [{ zone: 'country', steps: [{ up_to_grams: 5000, price: '7.50' }] }],
    },
  ],
  default_service: 'standard',
}

// Somebody signs in, and makes a key for the shop’s program.
const { access_token } = await done(clientWith().POST('/api/v1/user/login', { body: { email, password } }))
const admin = clientWith(access_token)
const { key } = await done(
  admin.POST('/api/v1/api-keys', {
    body: { name: 'Shop', scopes: ['orders:read', 'orders:write', 'uniorder:read', 'uniorder:write'] },
  }),
)
const shop = clientWith(key)

// The business has prices, an account at a carrier, and a customer with money.
await done(admin.PUT('/api/v1/price-list', { body: priceList }))
await done(admin.POST('/api/v1/carrier-accounts', { body: { carrier: 'sandbox', credentials: { account: 'acme' } } }))
const customer = await done(
  admin.POST('/api/v1/accounts', {
    body: { role: 'customer', email: 'joe@shop.example', name: 'Joe', password: 'first-password-2' },
  }),
)
const { account_id } = customer
await done(
  admin.POST('/api/v1/accounts/{account_id}/top-ups', { params: { path: { account_id } }, body: { amount: '50.00' } }),
)

// The customer’s order is booked at a rate.
const quote = await done(
  shop.POST('/api/v1/orders/rate', {
    body: { type: 'D', customer_id: account_id, delivery: { postal_code: 'M5V 1A1', country: 'CA' } },
  }),
)
const [rate] = quote.rates
if (rate === undefined) throw new Error('There is no rate.')
const { order_id } = await done(
  shop.POST('/api/v1/orders', {
    params: { header: { 'Idempotency-Key': 'order-1' } },
    body: {
      type: 'D',
      customer_id: account_id,
      rate_id: rate.rate_id,
      delivery: { name: 'Ann Lee', address: { street: '1 Main Street', postal_code: 'M5V 1A1', country: 'CA' } },
    },
  }),
)
console.log(`Order ${order_id} costs ${rate.total_price} ${rate.currency}.`)

// A carrier takes another shipment: its cheapest rate becomes a label, which the shop can print and track.
const offers = await done(shop.POST('/api/v1/uniorder/rate', { body: { ...shipment, quote_labels: true } }))
const offer = offers.rates.find((one) => one.kind === 'label')
if (offer === undefined) throw new Error('No carrier has a rate.')
const { uniorder } = await done(
  shop.POST('/api/v1/uniorder', {
    params: { header: { 'Idempotency-Key': 'label-1' } },
    body: { ...shipment, reference: 'R-1', rate_id: offer.rate_id },
  }),
)
const { uniorder_id } = uniorder
const label = await done(shop.GET('/api/v1/uniorder/{uniorder_id}/label', { params: { path: { uniorder_id } } }))
console.log(`${offer.carrier_name} sold a label: ${label.media_type}.`)
const tracked = await done(shop.GET('/api/v1/uniorder/{uniorder_id}/tracking', { params: { path: { uniorder_id } } }))
console.log(`It has parcels: ${tracked.parcels.length}.`)
const voided = await done(shop.POST('/api/v1/uniorder/{uniorder_id}/cancel', { params: { path: { uniorder_id } } }))
console.log(`And taken back: ${voided.uniorder.status}.`)

// The order is cancelled. What is refused has a code.
const path = { order_id }
await done(shop.POST('/api/v1/orders/{order_id}/cancel', { params: { path } }))
const { order } = await done(shop.GET('/api/v1/orders/{order_id}', { params: { path } }))
console.log(`The order is ${order.status}.`)
const late = await shop.POST('/api/v1/orders/{order_id}/delivery-instruction', {
  params: { path },
  body: { delivery_instruction: 'Ring' },
})
if (late.error?.code === 'order_status_forbids') console.log(`Too late: ${late.error.message}`)

// Webhooks wait until the shop’s program comes for them; a URL of the shop does as well.
await done(admin.PUT('/api/v1/webhook-settings', { body: { order_lifecycle_webhook_url: 'pull:shop' } }))
const { urls } = await done(admin.GET('/api/v1/webhook-urls'))
console.log(`Webhooks go to ${urls.map((one) => one.url).join(', ')}.`)

// A carrier pushes what it scanned; anybody reads the timeline.
const carrier = clientWith(providerKey)
await done(
  carrier.POST('/api/v1/otep/ingest', {
    body: {
      subject: { tracking_number: 'SHOP1' },
      status_code: 'picked_up',
      occurred_at: '2026-06-10T09:00:00-04:00',
    },
  }),
)
const timeline = await done(
  clientWith().GET('/api/v1/otep/trackings/{tracking_number}', { params: { path: { tracking_number: 'SHOP1' } } }),
)
// `format` says which of the two answers it is, and so what `data` has.
if (timeline.format === 'otep') console.log(`SHOP1 is ${timeline.data.current_status}.`)
