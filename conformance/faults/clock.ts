import { join } from 'node:path'
import { createSqliteStore } from '../../adapters/sqlite/facts/index.ts'
import { codesOf, document, event, journey } from '../rest/events.ts'
import { type Faults, interfaceOn } from './setting.ts'

const hour = 3_600_000

/** The milliseconds by which the clock goes back before each event; so far that none of them lies too far ahead to count. */
const jumps = [0, hour, 24 * hour, -30 * hour, 20 * hour]

/** A clock that is set back. */
export const clockBack: Faults = {
  'given a clock that goes back, when events come in, then order, revisions, tags and live streams do not heed it':
    async (t) => {
      let now = Date.parse('2026-06-10T12:00:00Z')
      const clock = () => now
      const directory = t.testdir()
      const file = join(directory, 'otep.db')
      const store = createSqliteStore({ file, clock })
      const { client } = await interfaceOn(t, { store, address: `sqlite:${file}`, directory, clock })
      const path = '/api/v1/otep/trackings/BACK'
      const tags = new Set<string | null>()
      for (const [number, fact] of journey.entries()) {
        now -= jumps[number] ?? 0
        t.match(await client.ingest(document('BACK', [fact])), { status: 200, body: { data: { accepted: 1 } } })
        t.match((await client.ingest(document('BACK', [fact]))).body, { data: { duplicate: 1 } })
        const { headers } = await client.get(path)
        const tag = headers.get('etag') ?? ''
        t.equal((await client.get(path, { 'If-None-Match': tag })).status, 304)
        tags.add(tag)
        if (number === 0) continue
        const live = await client.live('BACK', { 'Last-Event-ID': String(number - 1) })
        t.match(await live.next(), { id: String(number), data: { current_status: fact.status_code } })
        await live.close()
      }
      t.equal(tags.size, journey.length, 'every change has a tag of its own')
      t.same(codesOf(await client.timeline('BACK')), codesOf({ events: journey }))
      t.match(await client.timeline('BACK'), { current_status: 'delivered', delivered: true })

      now += 2 * hour
      await client.ingest(document('BACK', [event('in_transit', 12)]))
      t.same(
        codesOf(await client.timeline('BACK')),
        ['information_submitted', 'picked_up', 'arrival_scan', 'in_transit', 'out_for_delivery', 'delivered'],
        'a late event takes the place of its occurrence',
      )
      const facts = await store.read('tracking-tracking_number:BACK')
      t.same(
        facts.map(({ revision }) => revision),
        facts.map((_, index) => index),
      )
      const positions: string[] = []
      for await (const { position } of store.readAll()) positions.push(position)
      t.same(positions, [...new Set(positions)].sort(), 'positions grow')
    },
}
