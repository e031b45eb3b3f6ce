import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import type { Judged } from '../../conformance/judges/judge.ts'
import { serializerJudge } from '../../conformance/judges/otlp/serializer.ts'
import { program } from '../../conformance/program/files.ts'
import { addProvider } from '../../conformance/program/provider.ts'
import { type SentSpan, serve } from './server.test.fixture.ts'

/** A receiver of traces. It keeps what it has taken, and can let a request wait without an answer. */
async function createReceiver() {
  const taken: string[] = []
  const headers: (string | undefined)[] = []
  let isWaiting = false
  let tell: () => void = () => {}
  const server = createServer(async (request, response: ServerResponse) => {
    const body = await text(request)
    headers.push(request.headers['x-tenant']?.toString())
    if (!isWaiting) taken.push(body)
    tell()
    if (!isWaiting) response.setHeader('Content-Type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  t.teardown(() => server.closeAllConnections())
  const spans = () => taken.flatMap(spansIn)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    headers,
    spans,
    next: () =>
      new Promise<void>((resolve) => {
        tell = resolve
      }),
    async until(name: string, trace: (spans: readonly SentSpan[]) => boolean) {
      while (!trace(spans().filter((span) => span.name === name))) await this.next()
    },
    keepWaiting(keep: boolean) {
      isWaiting = keep
    },
  }
}

function spansIn(body: string): readonly SentSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

const journey = (tracking_number: string) => ({
  subject: { tracking_number },
  events: ['picked_up', 'in_transit', 'delivered'].map((status_code, hour) => ({
    ...{ occurred_at: `2026-06-10T1${hour}:00:00Z`, status_code },
    ...{ location: { address: { street: 'Private Lane 7', country: 'CA' } }, pod: { recipient: 'Mrs Confidential' } },
  })),
})

t.test(
  'given a receiver of traces, when the server is killed while it sends, then the receiver takes each journey once',
  async (t) => {
    const receiver = await createReceiver()
    const dataDir = t.testdir()
    const key = await addProvider('acme', ['--data-dir', dataDir])
    const env = {
      OTEP_DATA_DIR: dataDir,
      OTEP_OTLP_EXPORT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=parcels',
    }
    const start = () => serve(t, program, env)
    const ingest = (url: string, number: string) =>
      fetch(`${url}/api/v1/otep/ingest`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(journey(number)),
      })
    const first = await start()
    t.equal((await ingest(first.url, 'ONE')).status, 200)
    await receiver.until('parcel journey', ({ length }) => length === 1)
    receiver.keepWaiting(true)
    const waiting = receiver.next()
    t.equal((await ingest(first.url, 'TWO')).status, 200)
    await waiting
    first.child.kill('SIGKILL')
    await first.ended
    receiver.keepWaiting(false)
    const second = await start()
    await receiver.until('parcel journey', ({ length }) => length === 2)
    t.equal((await ingest(second.url, 'THREE')).status, 200)
    await receiver.until('parcel journey', ({ length }) => length === 3)
    const spans = receiver.spans()
    t.equal(new Set(spans.map(({ traceId }) => traceId)).size, 3)
    t.equal(spans.length, 3 * 4, 'three stages and the journey, of each parcel')
    t.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length)
    t.ok(receiver.headers.every((tenant) => tenant === 'parcels'))
    t.notMatch(receiver.taken.join(''), /Private Lane|Confidential/)
    t.match(receiver.taken[0], /"key":"service.name","value":\{"stringValue":"acme"\}/)
    const mediaType = 'application/json'
    for (const body of receiver.taken)
      t.same(await serializerJudge.judge({ text: body, mediaType } as Judged), [], 'as its own SDK writes it')
  },
)
