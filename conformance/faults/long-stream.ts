import { readFileSync } from 'node:fs'
import { document, event } from '../rest/events.ts'
import { type Faults, processOf } from './setting.ts'

/** Events of the parcel, by batches; a nightly run writes 100,000. */
const total = Number(process.env.OTEP_LONG_STREAM ?? 10_000)
const batch = 5_000

/** The heap limit of the process in MiB; it dies if it needs more. */
const heap = 256

/** Events of a page. */
const pageSize = 5_000

interface Page {
  readonly data: readonly { readonly event_id: string }[]
  readonly next?: string
}

/** A parcel that has had far too many events. */
export const longStream: Faults = {
  [`given ${total} events of one parcel, when they are written and read in ${heap} MiB, then all are there in order`]:
    async (t, setting) => {
      const { client, server, otep } = await processOf(t, setting, [`--max-old-space-size=${heap}`])
      for (let from = 0; from < total; from += batch) {
        const events = Array.from({ length: batch }, (_, offset) =>
          event('in_transit', (from + offset) / 100, { event_id: `long-${from + offset}` }),
        )
        t.match(await client.ingest(document('LONG', events)), { status: 200, body: { data: { accepted: batch } } })
      }
      const names: string[] = []
      const path = `/api/v1/otep/trackings/LONG/events?limit=${pageSize}`
      for (let after = ''; ; ) {
        const { status, body } = await client.get(`${path}${after}`)
        if (!t.equal(status, 200)) break
        const { data, next } = body as unknown as Page
        names.push(...data.map(({ event_id }) => event_id))
        if (next === undefined) break
        after = `&after=${next}`
      }
      t.equal(names.length, total)
      t.ok(
        names.every((name, index) => name === `long-${index}`),
        'in the order of occurrence, each once',
      )
      t.equal((await client.timeline('LONG')).events.length, total, 'and as a whole')
      const live = await client.live('LONG', { 'Last-Event-ID': '0' })
      t.match(
        await live.next(),
        { id: String(total - 1), event: 'reset' },
        'a reader that is far behind has to read again',
      )
      await live.close()
      const shown = await otep('show', 'LONG')
      t.equal(shown.code, 0)
      t.equal(shown.text.match(/in_transit/g)?.length, total + 1, 'each, and the status')
      const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
      t.comment(`the server took ${peak.toFixed(0)} MiB in all at most`)
      t.equal(await server.stop(), 0)
    },
}
