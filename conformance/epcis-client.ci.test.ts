import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { captured, type Event } from './epcis-events.test.fixture.ts'
import { bodySchema, componentSchema, type OpenApi, openapi, partOf } from './epcis-openapi.test.fixture.ts'
import { testWith } from './judges/official.test.fixture.ts'
import { program } from './program/files.ts'
import { addProvider } from './program/provider.ts'
import { type Server, startServer } from './program/server.ts'
import { type Capture, headerOf, startReceiver } from './webhooks/receiver.ts'

/** The JSON of an answer, of which the client only knows the document. */
type Json = ReturnType<typeof JSON.parse>

/** What an operation is called with: members of its path and of its query, and its body. */
interface Given {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * A client that only knows the document: it refuses to send what the document does not have, and to take an answer that
 * is not as it says.
 */
function clientOf(openapi: OpenApi, key: string, base: () => string) {
  return async (method: 'GET' | 'POST' | 'DELETE', path: string, { path: members, query, body }: Given = {}) => {
    const operation = openapi.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new Error(`The document has no ${method} ${path}`)
    const known = (operation.parameters ?? []).map((part) => partOf(openapi, part)?.name)
    for (const name of Object.keys(query ?? {}))
      if (!known.includes(name)) throw new Error(`${method} ${path} has no ${name}`)
    const request = bodySchema(openapi, operation.requestBody)
    if (request !== undefined && !request(body)) throw new Error(`${path}: ${JSON.stringify(request.errors)}`)
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(members?.[name] ?? ''))
    const response = await fetch(`${base()}${filled}?${new URLSearchParams(query)}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const described = operation.responses[response.status]
    if (described === undefined || response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const validate = bodySchema(openapi, described)
    const answer: Json = text === '' ? undefined : JSON.parse(text)
    // One query is a list in the schema, and an object in the example beside it.
    const judged = path === '/queries/{queryName}' ? [answer] : answer
    if (validate !== undefined && answer !== undefined && !validate(judged))
      throw new Error(`${method} ${path}: ${JSON.stringify(validate.errors)}`)
    return { answer, headers: response.headers }
  }
}

const token = '13df38d8275b13f05704629e5f1cf3d45d6132d5'

const event = (count: number, bizStep = 'receiving'): Event => ({
  ...{ type: 'ObjectEvent', action: 'OBSERVE', bizStep, eventTimeZoneOffset: '+00:00' },
  eventID: `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
  eventTime: new Date(Date.parse('2026-06-10T08:00:00Z') + count * 1_000).toISOString(),
  epcList: [`urn:epc:id:sgtin:4012345.011111.${count}`],
})

const eventsOf = (document: Json): readonly Event[] => document.epcisBody.queryResults.resultsBody.eventList
const lastPart = (headers: Headers) => String(headers.get('location')).split('/').at(-1) ?? ''

async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !holds(); await setTimeout(20))
    if (performance.now() > end) throw new Error('It did not come about.')
}

testWith(
  t,
  { openapi },
  'given a client that only knows the document of GS1, when the server is killed again and again, then it captures, waits, queries, pages, and gets every result',
  async (t, { openapi }) => {
    const dataDir = t.testdir()
    const key = await addProvider('acme', ['--data-dir', dataDir])
    const receiver = await startReceiver(Date.now)
    let server: Server = await startServer(program, dataDir)
    t.teardown(async () => {
      await server.kill()
      await receiver.close()
    })
    const client = clientOf(openapi, key, () => `http://127.0.0.1:${server.port}/epcis`)

    async function capture(...events: readonly Event[]): Promise<void> {
      const captureID = lastPart((await client('POST', '/capture', { body: captured(events) })).headers)
      for (;;) {
        const { answer: job } = await client('GET', '/capture/{captureID}', { path: { captureID } })
        if (job.running === true) continue
        t.ok(job.success, 'captured')
        return
      }
    }

    await capture(
      ...Array.from({ length: 45 }, (_, index) => event(index + 1, index % 2 === 0 ? 'receiving' : 'shipping')),
    )
    const found: unknown[] = []
    for (
      let query: Record<string, string> | undefined = { EQ_bizStep: 'receiving', perPage: '10' };
      query !== undefined;
    ) {
      const { answer, headers } = await client('GET', '/events', { query })
      found.push(...eventsOf(answer).map(({ eventID }) => eventID))
      const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      query = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams)
    }
    t.equal(new Set(found).size, 23, 'in pages')

    await client('POST', '/queries', { body: { name: 'received', query: { EQ_bizStep: ['receiving'] } } })
    const path = { queryName: 'received' }
    const wanted = { dest: receiver.urlOf('/results'), signatureToken: token, secret: token, stream: true }
    const made = await client('POST', '/queries/{queryName}/subscriptions', { path, body: wanted })
    const subscriptionID = lastPart(made.headers)
    t.equal(made.answer.subscriptionID, subscriptionID)

    let count = 100
    for (let round = 0; round < 2; round++) {
      for (let call = 0; call < 3; call++) await capture(event(count++), event(count++), event(count++, 'shipping'))
      if (round > 0) await setTimeout(30 * round)
      await server.kill()
      server = await startServer(program, dataDir)
    }
    const results = () => receiver.at('/results')
    const idOf = (capture: Capture) => String(headerOf(capture, 'webhook-id'))
    await until(() => new Set(results().map(idOf)).size >= 12)
    const schema = componentSchema(openapi, 'epcisQueryDocument')
    const bodies = new Map<string, string>()
    for (const capture of results()) {
      const text = capture.body.toString()
      const document: Json = JSON.parse(text)
      t.equal(headerOf(capture, 'GS1-Signature'), createHmac('sha256', token).update(text).digest('hex'))
      t.ok(schema(document), JSON.stringify(schema.errors))
      t.match(document.epcisBody.queryResults, { queryName: 'received', subscriptionID })
      t.equal(bodies.get(idOf(capture)) ?? text, text, 'what comes again is the same')
      bodies.set(idOf(capture), text)
    }
    const told = [...bodies.values()].flatMap((text) => eventsOf(JSON.parse(text)).map(({ eventID }) => eventID))
    t.strictSame([told.length, new Set(told).size], [12, 12], 'each result has one id')
    const named = { path: { ...path, subscriptionID } }
    const operation = '/queries/{queryName}/subscriptions/{subscriptionID}'
    t.match((await client('GET', operation, named)).answer, { subscriptionID, lastNotifiedAt: /^2/ })
    t.equal((await client('GET', '/queries/{queryName}/subscriptions', { path })).answer.length, 1)
    await client('DELETE', operation, named)
    t.same((await client('GET', '/queries/{queryName}/subscriptions', { path })).answer, [])
  },
)
