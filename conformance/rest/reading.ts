import { codesOf, document, event, journey } from './events.ts'
import type { Sentences } from './sentences.ts'

/** How timelines are read. */
export const reading: Sentences = {
  'given an entity tag, when nothing was recorded since, then nothing is sent again': async (t, { client }) => {
    await client.ingest(document('RB-20', journey.slice(0, 2)))
    const path = '/api/v1/otep/trackings/RB-20'
    const etag = (await client.get(path)).headers.get('etag') ?? ''
    t.equal((await client.get(path, { 'If-None-Match': etag })).status, 304)
    await client.ingest(document('RB-20', journey))
    const answer = await client.get(path, { 'If-None-Match': etag })
    t.equal(answer.status, 200)
    t.not(answer.headers.get('etag'), etag)
  },

  'given many events, when they are read by pages, then each comes once, in order of occurrence': async (
    t,
    { client },
  ) => {
    const events = Array.from({ length: 23 }, (_, index) => event('arrival_scan', 40 - index))
    await client.ingest(document('RB-21', events))
    const path = '/api/v1/otep/trackings/RB-21/events?limit=5'
    const seen: unknown[] = []
    for (let next: unknown = ''; next !== undefined; ) {
      const { body } = await client.get(next === '' ? path : `${path}&after=${next}`)
      seen.push(...(body.data as readonly { readonly event_id: string }[]).map(({ event_id }) => event_id))
      next = body.next
    }
    t.same(seen, events.map(({ event_id }) => event_id).reverse())
  },

  'given a timeline, when it is requested in every format, then each responds': async (t, { client }) => {
    await client.ingest(document('RB-22', journey, { gs1_sscc: '340123450000000093', order_id: 22_000 }))
    const { body } = await client.get('/api/v1/otep/formats')
    const formats = body.data as readonly { readonly format: string }[]
    t.ok(formats.length >= 14)
    for (const { format } of formats) {
      const answer = await client.get(`/api/v1/otep/trackings/RB-22?format=${format}`)
      t.match(answer, { status: 200, body: { result: true, format } })
    }
  },

  'given a live reader, when events are recorded, then it receives each, and resumes where it stopped': async (
    t,
    { client },
  ) => {
    await client.ingest(document('RB-23', journey.slice(0, 1)))
    const live = await client.live('RB-23', { 'Last-Event-ID': '0' })
    await client.ingest(document('RB-23', journey.slice(0, 3)))
    const first = await live.next()
    t.match(first, { id: '1', event: 'tracking', data: { current_status: 'picked_up', change: 'recorded' } })
    t.match(await live.next(), { id: '2', data: { current_status: 'arrival_scan' } })
    await live.close()
    await client.ingest(document('RB-23', journey))
    const again = await client.live('RB-23', { 'Last-Event-ID': '2' })
    t.match(await again.next(), { id: '3', data: { current_status: 'out_for_delivery' } })
    t.match(await again.next(), { id: '4', data: { delivered: true } })
    await again.close()
  },

  'given a server that is stopped, when it is started again, then every answer is the same': async (
    t,
    { client, restarted },
  ) => {
    await client.ingest(document('RB-24', journey, { order_id: 24_000 }))
    const paths = ['RB-24', 'RB-24/events', 'RB-24?format=epcis'].map((rest) => `/api/v1/otep/trackings/${rest}`)
    const before = await Promise.all(paths.map((path) => client.get(path)))
    const later = await restarted()
    for (const [index, path] of paths.entries()) {
      const answer = await later.get(path)
      t.same(answer.body, before[index]?.body)
      t.equal(answer.headers.get('etag'), before[index]?.headers.get('etag'))
    }
    t.match((await later.ingest(document('RB-24', journey))).body, { data: { duplicate: 5 } })
    for (const identifier of ['RB-24', '24000'])
      t.same(codesOf(await later.timeline(identifier)), codesOf({ events: journey }))
  },
}
