import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { findStream, readTimeline, representationsOf } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import { countEachPause } from '../http/pause.test.fixture.ts'
import { base, event, now, received, server } from './server.test.fixture.ts'

t.test('given live updates, when as many HEAD requests come as streams are held, then none is held open', async (t) => {
  const { ingest, send } = await server()
  await ingest(received)
  for (let count = 0; count < 10_050; count++) {
    const head = await send(`${base}/trackings/SR1/stream`, { method: 'HEAD' })
    if (head.status !== 200) t.fail(`${count}: ${head.status}`)
  }
  const response = await send(`${base}/trackings/SR1/stream`)
  t.equal(response.status, 200)
  await response.body?.cancel()
})

t.test('given a request of HTTP/1.0, when it asks for live updates, then they come without chunks', async (t) => {
  const { ingest, send, key } = await server()
  await ingest(received)
  const listener = getRequestListener((request) => send(request.url.slice('http://a'.length), request))
  const http = createServer(listener).listen(0, '127.0.0.1')
  t.teardown(() => http.close())
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  for (const path of [`${base}/trackings/SR1/stream`, `${base}/feed`]) {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.0\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`),
    )
    let text = ''
    for await (const part of socket) {
      text += part
      if (text.includes('\nid: ')) break
    }
    socket.destroy()
    const [head = '', body = ''] = text.split('\r\n\r\n')
    t.match(head, /^HTTP\/1\.1 200 /, path)
    t.notMatch(head, /transfer-encoding/i)
    t.match(body, /^retry: \d+\n/)
  }
})

t.test('given all operations, when they are described, then it is valid OpenAPI', async (t) => {
  const { send } = await server()
  t.same(await new Validator().validate(JSON.parse(await (await send('/openapi.json')).text())), { valid: true })
})

/** Counts the turns of the event loop while an answer is made. */
async function countTurns(answer: Response | Promise<Response>) {
  let isOver = false
  let turns = 0
  const whole = Promise.resolve(answer).then(async (response) => ({ response, text: await response.text() }))
  whole.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await setImmediate()
    turns++
  }
  return { ...(await whole), turns }
}

t.test('given a timeline of thousands of events, when it is read in any way', async (t) => {
  countEachPause(t)
  const count = 3_000
  const { context, ingest, post, send } = await server()
  const lines = Array.from({ length: count }, (_, index) =>
    event(index % 3 === 0 ? 'arrival_scan' : 'in_transit', new Date(now - (count - index) * 60_000).toISOString(), {
      event_id: `e-${index}`,
      location: { name: `Hub ${index % 7}`, address: { locality: 'Zürich' } },
      description: `Scan ${index}`,
    }),
  )
  await ingest({ lines })
  const stream = await findStream(context, 'SR1')
  const { timeline } = await readTimeline(context, stream)
  t.equal(timeline.events.length, count)
  const target = { baseUrl: 'http://localhost:3000', options: {}, timeline: 'tracking_number:SR1', profiles }
  const turnsDue = (1.5 * count) / 128

  for (const format of projections) {
    await t.test(
      `as ${format.name}, then the answer is the one made at once, and others are served meanwhile`,
      async (t) => {
        const document = format.project(timeline, { ...target, baseUrl: context.baseUrl })
        for (const { mediaType, form, write, maxEvents } of representationsOf(format)) {
          const accept = `${mediaType}; profile="${form ?? `urn:otep:format:${format.name}`}"`
          const path = `${base}/trackings/SR1?format=${format.name}`
          const { response, text, turns } = await countTurns(Promise.resolve(send(path, { headers: { accept } })))
          if (maxEvents !== undefined) {
            t.equal(response.status, 406, `${accept} is not offered for so many events`)
            continue
          }
          t.ok(text === ((await write?.(document)) ?? JSON.stringify(document)), accept)
          t.ok(turns >= (format.kind === 'history' ? turnsDue : turnsDue / 2), `${turns} turns`)
        }
      },
    )
  }
  const others: Readonly<Record<string, (answer: never) => unknown>> = {
    [`${base}/trackings/SR1/events`]: ({ data }: { data: unknown }) => t.same(data, timeline.events),
    [`${base}/trackings/SR1/events?limit=2000`]: ({ data }: { data: unknown[] }) =>
      t.same(data, timeline.events.slice(0, 2_000)),
    '/api/v1/track/SR1': ({ events }: { events: unknown }) => t.same(events, timeline.events),
  }
  for (const [path, check] of Object.entries(others)) {
    await t.test(`at ${path}, then it holds the same events, and others are served meanwhile`, async (t) => {
      const { response, text, turns } = await countTurns(Promise.resolve(send(path)))
      t.equal(response.status, 200)
      check(JSON.parse(text) as never)
      t.ok(turns >= turnsDue * 0.75, `${turns} turns`)
    })
  }
  await t.test('in a batch, then it is the same, and others are served meanwhile', async (t) => {
    const body = JSON.stringify({ tracking_numbers: ['SR1', 'SR1', 'SR404'] })
    const { text, turns } = await countTurns(post(`${base}/trackings/batch`, body))
    const { data } = JSON.parse(text) as { data: { data: unknown; code?: string }[] }
    t.same(
      data.map(({ code }) => code),
      [undefined, undefined, 'timeline_not_found'],
    )
    t.same(data[1]?.data, timeline)
    t.ok(turns >= 2 * turnsDue, `${turns} turns`)
  })
  await t.test('then a reader that has it already gets 304, and an unchanged one has the same tag', async (t) => {
    const [one, other] = [await send(`${base}/trackings/SR1`), await send(`${base}/trackings/SR1`)]
    const tag = one.headers.get('etag') ?? ''
    t.equal(other.headers.get('etag'), tag)
    t.equal(await one.text(), await other.text())
    t.equal((await send(`${base}/trackings/SR1`, { headers: { 'if-none-match': tag } })).status, 304)
  })
  await t.test('then a source that reads slowly waits for itself, and for nobody else', async (t) => {
    const long = (format: string, init = {}) => send(`${base}/trackings/SR1?format=${format}`, init)
    const held = [await long('epcis'), await long('otlp')]
    const third = Promise.resolve(long('sensorthings'))
    let isAnswered = false
    third.then(() => {
      isAnswered = true
    })
    for (let turn = 0; turn < 500; turn++) await setImmediate()
    t.notOk(isAnswered, 'two long answers of one source are made at a time')
    t.equal((await send(`${base}/formats`)).status, 200, 'short ones go on')
    await held[0]?.body?.cancel()
    await (await third).text()
    for (let round = 0; round < 3; round++) t.equal((await long('epcis', { method: 'HEAD' })).status, 200)
    t.ok((await (await long('onerecord')).text()).length > 1_000_000, 'a request for the headers alone holds nothing')
    await held[1]?.text()
  })
})
