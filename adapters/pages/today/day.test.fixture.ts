import { addProvider, call } from '../../../engine/index.ts'
import { operator, type World } from '../../auth/world.test.fixture.ts'

/** What a day is made with: how the tests of an area send requests. */
type Place = Pick<World, 'send' | 'tokens' | 'ids' | 'parts' | 'business'>

/** Fills a business with a day: orders in several statuses, deliveries of two weeks, and what providers pushed. */
export async function day(place: Place) {
  const { send, tokens, ids, parts, business } = place
  const good = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await send(method, path, { token: tokens.client_admin, body })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const order = async (more: object = {}): Promise<number> => {
    const delivery = { name: 'Ann', address: { street: '1 Main Street', locality: 'Toronto', country: 'CA' } }
    return (await good('POST', '/api/v1/orders', { type: 'D', delivery, ...more })).order_id
  }
  const drive = async (more: object, end?: 'complete' | 'fail'): Promise<number> => {
    const id = await order(more)
    await good('POST', `/api/v1/orders/${id}/assign-driver`, { driver_id: ids.driver })
    for (const step of ['pick-up', 'depart']) await good('POST', `/api/v1/orders/${id}/${step}`, {})
    if (end !== undefined)
      await good('POST', `/api/v1/orders/${id}/${end}`, end === 'fail' ? { reason: 'refused' } : {})
    return id
  }
  const provider = async (name: string, bound = true): Promise<string> => {
    const reach = bound ? { business_id: business } : { all_businesses: true }
    return String((await call(addProvider, operator({ parts }), { name, ...reach })).key)
  }
  const push = async (key: string, ...events: readonly object[]) =>
    send('POST', '/api/v1/otep/ingest', {
      token: key,
      body: { subject: { tracking_number: `T-${key.slice(-6)}` }, events },
    })
  return { good, order, drive, provider, push }
}

/** An event of a parcel. */
export function event(id: string, more: object = {}): object {
  return { event_id: id, occurred_at: '2026-06-10T09:00:00Z', status_code: 'in_transit', ...more }
}
