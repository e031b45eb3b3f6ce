import { setImmediate } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { operator } from '../../adapters/auth/world.test.fixture.ts'
import { setUp } from '../../adapters/eventstore/eventstore.test.fixture.ts'
import { site } from '../../adapters/pages/signed-in/site.test.fixture.ts'
import { addProvider, call } from '../../engine/index.ts'
import { program } from '../program/files.ts'
import { startServer } from '../program/server.ts'
import { live } from '../webhooks/live.test.fixture.ts'

/** What keeps this process alive, in words of Node. */
const resources = () => process.getActiveResourcesInfo()

/** Turns of the event loop in which what was closed may go. */
const patience = 10_000

/** A server in memory, with a parcel, and a named query of its carrier. */
async function place() {
  const made = await site('/orders')
  const { key } = await call(addProvider, operator(made), { name: 'acme', all_businesses: true })
  const token = String(key)
  const event = { status_code: 'received', occurred_at: '2026-06-10T09:30:00-04:00' }
  await made.send('POST', '/api/v1/otep/ingest', { token, body: { subject: { tracking_number: 'SR1' }, ...event } })
  await made.send('POST', '/epcis/queries', { token, body: { name: 'all', query: {} } })
  return { ...made, token }
}

type Place = Awaited<ReturnType<typeof place>>

/** Reads the beginning of a live response, and leaves it open. */
async function begun(response: Response): Promise<void> {
  const { value } = (await response.body?.getReader().read()) ?? {}
  if (!response.ok || value === undefined) throw new Error(`It has not begun: ${response.status}`)
}

async function follow({ app, token }: Place, path: string): Promise<void> {
  const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${token}` }
  await begun(await app.request(path, { headers }))
}

/** What a test has open when it fails; none of it is closed by the test. */
const open: Readonly<Record<string, (t: Test, place: Place) => Promise<unknown>>> = {
  'the live timeline of a parcel': (_, place) => follow(place, '/api/v1/otep/trackings/SR1/stream'),
  'the live feed of timelines': (_, place) => follow(place, '/api/v1/otep/feed'),
  'the live results of a query': (_, place) => follow(place, '/epcis/queries/all/events?stream=true'),
  'the live page of orders': async (_, { app, signIn }) => {
    const { cookie } = await signIn('client_admin')
    await begun(await app.request('/orders/live', { headers: { cookie } }))
  },
  'the resources that an agent listens to': async (_, { app }) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const fetch = async (url: string | URL, init?: RequestInit) => app.request(String(url), init)
    await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
    await client.listen({ resourceSubscriptions: ['otep://tracking/SR1'] })
  },
  'a server in its own process': (t) => startServer(program, t.testdir()),
  'a node that sends webhooks': (t) => live(t),
  'a store on an event store server': async (t) => {
    const events = (await setUp(t)).open().follow(undefined, {}, new AbortController().signal)
    void events[Symbol.asyncIterator]().next()
  },
}

process.stderr.write('')
const before = resources()
const made = await place()
for (const [name, leave] of Object.entries(open))
  await t.test(name, async (t) => {
    await leave(t, made)
    throw new Error('planted')
  })

/** What is there now beyond what was there before the tests. */
function left(): readonly string[] {
  const known = [...before]
  return resources().filter((name) => {
    const at = known.indexOf(name)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}

for (let turn = 0; turn < patience && left().length > 0; turn++) await setImmediate()
process.stderr.write(`${JSON.stringify(left())}\n`)
if (left().length > 0) process.exit(2)
