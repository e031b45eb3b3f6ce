import type { Members } from '../../engine/index.ts'
import { codesOf, document, event, journey } from './events.ts'
import type { Sentences } from './sentences.ts'

/** The rules for writing. */
export const writing: Sentences = {
  'given a journey, when it is pushed, then each of its identifiers leads to it': async (t, { client }) => {
    const subject = { external_tracking_number: 'EXT 1', gs1_sscc: '340123450000000017', order_id: 71 }
    const answer = await client.ingest(document('RB-1', journey, subject))
    t.equal(answer.status, 200)
    t.match(answer.body, { result: true, data: { accepted: 5 } })
    for (const identifier of ['rb-1', 'EXT1', '340123450000000017', '71', 'tracking_number:RB-1']) {
      const timeline = await client.timeline(identifier)
      t.same(codesOf(timeline), codesOf({ events: journey }), identifier)
      t.match(timeline, { current_status: 'delivered', delivered: true, subject: { tracking_number: 'RB-1' } })
    }
    t.match(await client.get('/api/v1/otep/trackings/RB-0'), { status: 404, body: { code: 'timeline_not_found' } })
  },

  'given events, when they are sent again, then only new details are added': async (t, { client }) => {
    await client.ingest(document('RB-2', journey))
    t.match((await client.ingest(document('RB-2', journey))).body, { data: { accepted: 0, duplicate: 5 } })
    const more = { ...journey[1], incident_reason: 'weather' }
    t.match((await client.ingest(document('RB-2', [more]))).body, { data: { enriched: 1 } })
    t.match((await client.timeline('RB-2')).events[1], { incident_reason: 'weather' })
    const other = { ...journey[1], status_code: 'in_transit' }
    t.match((await client.ingest(document('RB-2', [other]))).body, {
      data: { events: [{ errors: [{ code: 'event_id_conflict' }] }] },
    })
    t.equal((await client.timeline('RB-2')).events.length, 5)
  },

  'given an event, when it is withdrawn, then it counts no more and stays': async (t, { client }) => {
    await client.ingest(document('RB-3', journey))
    const withdrawn = { declared_at: '2026-06-03T08:00:00Z', reason: 'wrong parcel' }
    await client.ingest(document('RB-3', [{ ...journey[4], withdrawn }]))
    const timeline = await client.timeline('RB-3')
    t.match(timeline, { current_status: 'out_for_delivery', delivered: false })
    t.match(timeline.withdrawn_events, [{ status_code: 'delivered', withdrawn }])
  },

  'given valid and invalid lines, when they are pushed, then the valid ones are recorded, or none with atomic': async (
    t,
    { client },
  ) => {
    const lines = [
      { subject: { tracking_number: 'RB-4' }, ...event('picked_up', 1) },
      { subject: { tracking_number: 'RB-4' }, ...event('no_such_code', 2) },
      { subject: { tracking_number: 'RB-5' }, ...event('picked_up', 1) },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const ndjson = { 'Content-Type': 'application/x-ndjson' }
    const none = await client.post('/api/v1/otep/ingest?atomic=true', text, ndjson)
    t.match(none, { status: 422, body: { code: 'nothing_stored' } })
    t.equal((await client.get('/api/v1/otep/trackings/RB-4')).status, 404)
    t.match((await client.post('/api/v1/otep/ingest', text, ndjson)).body, { data: { accepted: 2, rejected: 1 } })
    t.same(codesOf(await client.timeline('RB-4')), ['picked_up'])
    t.same(codesOf(await client.timeline('RB-5')), ['picked_up'])
  },

  'given a thousand events of two hundred new parcels, when they come in one call, then all stand': async (
    t,
    { client },
  ) => {
    const numbers = Array.from({ length: 200 }, (_, index) => `RB-M${index}`)
    const timelines = numbers.map((number, index) => document(number, journey, { order_id: 5000 + index }))
    t.match((await client.ingest({ timelines })).body, { data: { accepted: 1000 } })
    const batch = await client.post('/api/v1/otep/trackings/batch', JSON.stringify({ tracking_numbers: numbers }))
    const answers = batch.body.data as readonly { readonly data: { readonly events: readonly Members[] } }[]
    t.same(
      answers.map(({ data }) => data.events.length),
      numbers.map(() => 5),
    )
    t.match((await client.timeline('5199')).subject, { tracking_number: 'RB-M199' })
  },

  'given a parcel that nobody knows, when twenty calls about it come at once, then there is one timeline of all':
    async (t, { client }) => {
      const calls = Array.from({ length: 20 }, (_, index) =>
        client.ingest(
          document('RB-6', [event('arrival_scan', index)], index % 2 === 0 ? { piece_id: 'P-6' } : { package_id: 66 }),
        ),
      )
      for (const { body } of await Promise.all(calls)) t.match(body, { data: { accepted: 1 } })
      const timeline = await client.timeline('RB-6')
      t.equal(timeline.events.length, 20)
      t.same(timeline.subject, { tracking_number: 'RB-6', piece_id: 'P-6', package_id: 66 })
      t.same(await client.timeline('P-6'), timeline)
      t.same(await client.timeline('66'), timeline)
    },

  'given two parcels of one order, when only the order is named, then both are named and none is guessed': async (
    t,
    { client },
  ) => {
    await client.ingest(document('RB-7', [event('picked_up', 1)], { order_id: 77 }))
    await client.ingest(document('RB-8', [event('picked_up', 1)], { order_id: 77 }))
    await t.rejects(client.timeline('77'), /409.*ambiguous_identifier/)
    t.equal((await client.get('/api/v1/otep/trackings/77')).status, 404, 'the public does not find orders')
    const disagreeing = document('RB-7', [event('delivered', 9)], { external_tracking_number: 'X-8' })
    await client.ingest(document('RB-8', [event('arrival_scan', 2)], { external_tracking_number: 'X-8' }))
    t.match((await client.ingest(disagreeing)).body, {
      data: { events: [{ errors: [{ code: 'identifiers_disagree' }] }] },
    })
  },

  'given a delivered parcel, when its number moves again months later, then that is another parcel': async (
    t,
    { client },
  ) => {
    await client.ingest(document('RB-9', journey))
    await client.ingest(document('RB-9', [event('picked_up', 24 * 150)]))
    t.same(codesOf(await client.timeline('RB-9')), ['picked_up'])
    t.equal((await client.timeline('tracking_number:RB-9')).events.length, 5)
    t.same(codesOf(await client.timeline('tracking_number:RB-9#2')), ['picked_up'])
  },

  'given an EPCIS document of our own, when it is captured, then it is known already': async (t, { client }) => {
    await client.ingest(document('RB-E', journey, { gs1_sscc: '340123450000000116' }))
    const { body } = await client.get('/api/v1/otep/trackings/RB-E', {
      Accept: 'application/ld+json;profile="urn:otep:format:epcis"',
    })
    const answer = await client.post('/api/v1/otep/ingest/epcis', JSON.stringify(body))
    t.equal(answer.status, 200)
    t.equal((await client.timeline('RB-E')).events.length, 5)
  },

  'given a key, when it is revoked, then it opens nothing, and what it brought stays': async (t, { client, otep }) => {
    const key = (await otep('provider', 'add', 'leaver', '--all-businesses')).trim()
    const headers = { Authorization: `Bearer ${key}` }
    const push = () => client.post('/api/v1/otep/ingest', JSON.stringify(document('RB-10', journey)), headers)
    t.match((await push()).body, { data: { accepted: 5 } })
    await otep('provider', 'revoke', 'leaver')
    t.match(await push(), { status: 401, body: { code: 'unauthenticated' } })
    t.equal((await client.timeline('RB-10')).events.length, 5)
  },
}
