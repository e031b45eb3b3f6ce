import t from 'tap'
import { createApp, createParts } from '../adapters/main.ts'
import { addProvider, call, createMemoryStore, en } from '../engine/index.ts'
import { unrecorded } from './epcis-canonical.ts'
import { captured, type Event } from './epcis-events.test.fixture.ts'
import { jsonSchemaJudge } from './judges/epcis/json-schema.ts'
import { xsdJudge } from './judges/epcis/xsd.ts'
import { isFaultless } from './judges/official.test.fixture.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const epcOf = (serial: number) => `urn:epc:id:sgtin:4012345.011111.${serial}`
const uuid = (count: number) => `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`

const event = (count: number, ...serials: readonly number[]): Event => ({
  type: 'ObjectEvent',
  eventID: uuid(count),
  eventTime: new Date(Date.parse('2026-06-10T08:00:00Z') + count * 60_000).toISOString(),
  eventTimeZoneOffset: '+00:00',
  epcList: serials.map(epcOf),
  action: 'OBSERVE',
  bizStep: 'shipping',
  'ex:count': String(count),
})

/** A server with two things whose events alternate; the last one is of both. */
async function server() {
  const store = createMemoryStore(() => now)
  const options = { store, clock: () => now, baseUrl: 'http://localhost' }
  const parts = createParts(options)
  const app = createApp({ ...options, parts })
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...parts, caller: operator, messages: en, requestId: 'test' }
  const { key } = await call(addProvider, context, { name: 'acme', all_businesses: true })
  const authorization = `Bearer ${key}`
  const events = [event(1, 1), event(2, 2), event(3, 1), event(4, 2), event(5, 1, 2)]
  const headers = { authorization, 'content-type': 'application/json' }
  await app.request('/epcis/capture', { method: 'POST', headers, body: JSON.stringify(captured(events)) })
  const batch = async (numbers: readonly string[], accept: string, more: object = {}, authorization = '') => {
    const response = await app.request('/api/v1/otep/trackings/batch', {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
      body: JSON.stringify({ tracking_numbers: numbers, ...more }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const one = async (number: string, accept: string, query = '') => {
    const path = `/api/v1/otep/trackings/${encodeURIComponent(number)}?format=epcis${query}`
    return (await app.request(path, { headers: { accept } })).text()
  }
  return { batch, one, authorization, events }
}

const json = 'application/ld+json'
const xml = 'application/xml'
const both = [epcOf(1), epcOf(2)]
const format = { format: 'epcis' }
const timesIn = (text: string) => [...text.matchAll(/eventTime(?:"\s*:\s*"|>)([^"<]+)/g)].map(([, time]) => time)

t.test('given many numbers, when they are read as EPCIS, then one document has their events in order', async (t) => {
  const { batch } = await server()
  for (const [accept, judge] of [
    [json, jsonSchemaJudge],
    [xml, xsdJudge],
  ] as const) {
    for (const as of ['query', 'capture']) {
      const { status, headers, text } = await batch([...both].reverse(), accept, { ...format, as })
      t.equal(status, 200)
      t.match(headers.get('content-type'), accept)
      await isFaultless(t, judge, { text })
      const times = timesIn(text)
      t.equal(times.length, 6, 'the last event is in both timelines')
      t.strictSame(times, [...times].sort())
      t.equal(headers.get('otep-refused'), '0')
    }
  }
})

t.test('given one number, when a batch has only it, then the document is that of its timeline', async (t) => {
  const { batch, one } = await server()
  for (const accept of [json, xml]) {
    const { text } = await batch([epcOf(1), epcOf(1)], accept, format)
    t.equal(text, await one(epcOf(1), accept))
  }
})

t.test('given events as they came, when many numbers are read, then each event is there once', async (t) => {
  const { batch, authorization, events } = await server()
  const { text } = await batch(both, json, { ...format, as: 'source' }, authorization)
  const { epcisBody } = JSON.parse(text) as {
    readonly epcisBody: { readonly queryResults: { readonly resultsBody: { readonly eventList: readonly Event[] } } }
  }
  t.strictSame(epcisBody.queryResults.resultsBody.eventList.map(unrecorded), events)
  const inXml = await batch(both, xml, { ...format, as: 'source' }, authorization)
  await isFaultless(t, xsdJudge, inXml)
  t.equal(timesIn(inXml.text).length, events.length)
  const publicly = await batch(both, json, { ...format, as: 'source' })
  t.equal(publicly.status, 401, 'the public may not see them')
})

t.test('given numbers that are not found, when many are read, then a header names them', async (t) => {
  const { batch } = await server()
  const { status, headers, text } = await batch(['NO, 1', epcOf(2), 'é'], xml, format)
  t.equal(status, 200)
  t.equal(headers.get('otep-refused'), '2; NO%2C%201=timeline_not_found, %C3%A9=timeline_not_found')
  t.equal(timesIn(text).length, 3)
  const many = await batch(
    Array.from({ length: 500 }, (_, index) => `missing-${index}`),
    json,
    format,
  )
  t.match(many.headers.get('otep-refused'), /^500; missing-0=timeline_not_found, /)
  t.ok(String(many.headers.get('otep-refused')).length < 5_000, 'those without room are counted')
  t.strictSame(timesIn(many.text), [])
  await isFaultless(t, jsonSchemaJudge, many)
})

t.test('given a format without such a document, when many are read so, then that is refused', async (t) => {
  const { batch } = await server()
  const { status, text } = await batch(both, json, { format: 'onerecord' })
  t.equal(status, 406)
  t.match(JSON.parse(text), { code: 'not_acceptable' })
  const enveloped = await batch(both, 'application/json', format)
  t.match(JSON.parse(enveloped.text), { result: true, format: 'epcis', data: [{ result: true }, { result: true }] })
})
