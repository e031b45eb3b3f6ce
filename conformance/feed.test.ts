import { join } from 'node:path'
import t, { type Test } from 'tap'
import { operator, type World, type WorldOptions, world } from '../adapters/auth/world.test.fixture.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { addProvider, call, otepForget } from '../engine/index.ts'

const path = '/api/v1/otep/feed'
const order = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }

/** A server, the keys of a carrier of all businesses and of a courier of the first one, and what is pushed with them. */
async function server(options: WorldOptions = {}) {
  const made = await world({ publicView: 'reduced', ...options })
  const add = async (name: string, more: object) =>
    String((await call(addProvider, operator(made), { name, ...more })).key)
  const keys = {
    carrier: await add('carrier', { all_businesses: true }),
    courier: await add('courier', { business_id: made.business }),
  }
  const push = async (key: string, subject: object, status_code: string, more: object = {}) => {
    const body = { subject, status_code, occurred_at: '2026-06-10T09:00:00Z', ...more }
    const { status } = await made.send('POST', '/api/v1/otep/ingest', { token: key, body })
    if (status !== 200) throw new Error(`The event was refused with ${status}.`)
  }
  return { ...made, keys, push }
}

/**
 * Follows the feed with a key or token, from its end or after a place: `next` is the next change, and undefined once the server
 * has ended it.
 */
async function follow(t: Test, { app }: Pick<World, 'app'>, token: string, after?: string) {
  const from = after === undefined ? {} : { 'Last-Event-ID': after }
  const response = await app.request(path, { headers: { Authorization: `Bearer ${token}`, ...from } })
  if (response.body === null) throw new Error('There is no feed.')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  t.teardown(() => reader.cancel())
  let text = ''
  const next = async () => {
    for (;;) {
      const [whole, data] = /event: tracking\ndata: (.*)\nid: .*\n\n/.exec(text) ?? []
      if (whole !== undefined && data !== undefined) {
        text = text.slice(text.indexOf(whole) + whole.length)
        return JSON.parse(data)
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  // The first piece says where the feed begins: what is recorded after it comes.
  text += (await reader.read()).value ?? ''
  const [, place = ''] = /id: (.+)\n/.exec(text) ?? []
  return { next, place }
}

t.test(
  'given a parcel of another reporter, when a provider of one business reports on it, then its feed tells of the parcel what the public sees',
  async (t) => {
    const made = await server()
    const { keys, push, send } = made
    const subject = { tracking_number: 'X1', package_id: 7007 }
    await push(keys.carrier, subject, 'received')
    const { next } = await follow(t, made, keys.courier)
    await push(keys.courier, { tracking_number: 'X1' }, 'in_transit')
    const read = await send('GET', '/api/v1/otep/trackings/X1', { token: keys.courier })
    t.strictSame(read.body.data.subject, { tracking_number: 'X1' }, 'so does the timeline')
    const change = await next()
    t.strictSame(change.subject, { tracking_number: 'X1' })
    t.match(change, { timeline: 'tracking_number:X1', event: { status_code: 'in_transit' } })
    await push(keys.courier, { tracking_number: 'OWN', package_id: 8008 }, 'received')
    t.strictSame((await next()).subject, { tracking_number: 'OWN', package_id: 8008 }, 'what is its own, it sees whole')
  },
)

t.test(
  'given an account whose rights are narrowed, when its orders change, then its feed ends and tells nothing',
  async (t) => {
    const made = await server()
    const { keys, push, send, tokens, ids } = made
    const admin = (method: string, at: string, body: object) => send(method, at, { token: tokens.client_admin, body })
    const { tracking_number } = (await admin('POST', '/api/v1/orders', order)).body
    const { next } = await follow(t, made, tokens.client_employee)
    await push(keys.carrier, { tracking_number }, 'received')
    t.match(await next(), { subject: { tracking_number } })
    const { staff_role_id } = (await admin('POST', '/api/v1/staff-roles', { name: 'Desk', scopes: ['devices:read'] }))
      .body
    t.equal((await admin('PATCH', `/api/v1/accounts/${ids.client_employee}`, { staff_role_id })).status, 200)
    t.equal((await send('GET', '/api/v1/orders', { token: tokens.client_employee })).status, 403)
    await push(keys.carrier, { tracking_number }, 'in_transit')
    t.equal(await next(), undefined)
  },
)

/** Texts of the two reports of one delivery, of which the second one adds to the first. */
const personal = ['Adaline Verhulst', 'Rang at the bakery', 'Korenlei 9471']
const [recipient, note, street] = personal
const delivery = { event_id: 'e-1', pod: { recipient, note } }
const moreOfIt = { ...delivery, location: { address: { street, locality: 'Ghent', country: 'BE' } } }

t.test(
  'given a reader of the feed who was away, when a timeline is erased before or while it catches up, then nothing erased is sent',
  async (t) => {
    const file = join(t.testdir(), 'otep.db')
    const clock = () => Date.parse('2026-06-10T10:00:00Z')
    const store = createSqliteStore({ file, clock })
    t.teardown(store.close)
    const made = await server({ store })
    const { keys, push, tokens, send } = made
    const { tracking_number } = (await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: order })).body
    const ahead = await follow(t, made, tokens.client_admin)
    const own = { tracking_number }
    await push(keys.carrier, own, 'delivered', delivery)
    // More than a server writes ahead of its reader.
    for (let one = 0; one < 20; one++)
      await push(keys.carrier, own, 'in_transit', { occurred_at: `2026-06-09T09:00:${10 + one}Z` })
    await push(keys.carrier, own, 'delivered', moreOfIt)

    const { next } = await follow(t, made, tokens.client_admin, ahead.place)
    t.match(await next(), { change: 'recorded', event: { status_code: 'delivered', pod: delivery.pod } })
    const eraser = { ...operator(made), caller: { kind: 'operator', name: 'test', scopes: ['otep:erase'] } } as const
    t.match(await call(otepForget, eraser, { tracking_number }), { state: 'forgotten', personal_events: 1 })

    const later = await follow(t, made, tokens.client_admin, ahead.place)
    for (const [reader, begun] of [
      [next, 1],
      [later.next, 0],
    ] as const) {
      const changes: { readonly change: string; readonly event?: object }[] = []
      while (changes.at(-1)?.change !== 'erased') changes.push(await reader())
      t.same(
        changes.map(({ change }) => change),
        [...Array(21 - begun).fill('recorded'), 'enriched', 'erased'],
      )
      t.match(changes.at(-2), { event: { event_id: 'e-1', status_code: 'delivered' } })
      for (const text of personal) t.notMatch(JSON.stringify(changes), text)
    }
  },
)
