import { world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'

/** The path of uniorders. */
export const uniorder = '/api/v1/uniorder'
/** Somebody whom both ways reach. */
export const ann = {
  ...{ name: 'Ann Lee', street: '1 Main Street', locality: 'Toronto' },
  ...{ postal_code: 'M5V 1A1', region: 'ON', country: 'CA' },
}
/** A shipment that both ways carry. */
export const shipment = {
  ...{ from: { ...ann, name: 'Acme', phone: '+1 416 555 0100' }, to: ann },
  parcels: [{ weight_grams: 800 }, { weight_grams: 900 }],
}
const priceList = {
  ...{ currency: 'CAD', zones: [{ code: 'country', countries: ['CA'] }] },
  services: [
    {
      ...{ code: 'standard', name: 'Standard' },
      prices: [{ zone: 'country', steps: [{ up_to_grams: 5_000, price: '7.77' }] }],
    },
  ],
}

/** A rate of an answer. */
type Rate = Readonly<Record<'kind' | 'service' | 'rate_id', string>>

/** A business with a price list and an account at the sandbox. */
export async function shop() {
  const made = await world({ secret: secretOf('ab'.repeat(32)) })
  const ask = async (method: string, path: string, body?: object, token = made.tokens.client_admin, headers = {}) =>
    (await made.send(method, path, { token, headers, ...(body === undefined ? {} : { body }) })).body
  await ask('PUT', '/api/v1/price-list', priceList)
  await ask('POST', '/api/v1/carrier-accounts', { carrier: 'sandbox', credentials: { account: 'acme' } })
  /** The id of the first rate of a kind. */
  const rate = async (kind: string, asked: object = shipment, token?: string): Promise<string> => {
    const { rates } = await ask('POST', `${uniorder}/rate`, { ...asked, quote_labels: true }, token)
    return rates.find((one: Rate) => one.kind === kind)?.rate_id ?? `no rate of kind ${kind}`
  }
  /** Asks for one shipment; answers it, or why not. */
  const one = async (method: string, path: string, body?: object, token?: string) => {
    const { uniorder, ...answer } = await ask(method, `/api/v1/uniorder${path}`, body, token)
    return uniorder === undefined ? answer : { ...answer, ...uniorder }
  }
  const book = async (kind: string, more: object = {}, token?: string) => {
    const asked = { ...shipment, ...more }
    return one('POST', '', { ...asked, reference: 'R-1', rate_id: await rate(kind, asked, token) }, token)
  }
  return { ...made, ask, one, rate, book }
}
