import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { Hono } from 'hono'
import * as v from 'valibot'

const eventSchema = v.looseObject({
  event_id: v.string(),
  occurred_at: v.string(),
  status_code: v.string(),
  subject: v.object({ tracking_number: v.string() }),
})

/**
 * What a user would write himself on an event store server: Hono, valibot and the client, with one append for each
 * parcel of a call, or one read. It has no identifiers, no keys, and no rules of timelines.
 */
export function handWritten(server: string): Hono {
  const client = EventStoreDBClient.connectionString(server)
  const prefix = `own-${randomUUID()}`
  const nameOf = (parcel: string) => `${prefix}.tracking-${parcel}`
  const app = new Hono()

  app.post('/api/v1/otep/ingest', async (request) => {
    const lines = (await request.req.text()).split('\n').filter((line) => line !== '')
    const events = lines.map((line) => v.parse(eventSchema, JSON.parse(line)))
    const parcels = new Set(events.map(({ subject }) => subject.tracking_number))
    const appends = [...parcels].map((parcel) =>
      client.appendToStream(
        nameOf(parcel),
        events
          .filter(({ subject }) => subject.tracking_number === parcel)
          .map((data) => jsonEvent({ type: 'TrackingEventRecorded', data })),
        { requiresLeader: true },
      ),
    )
    await Promise.all(appends)
    return request.json({ result: true, accepted: events.length })
  })

  app.get('/api/v1/otep/trackings/:parcel', async (request) => {
    const events: unknown[] = []
    const stream = client.readStream(nameOf(request.req.param('parcel')), { requiresLeader: true })
    for await (const { event } of stream) events.push(event?.data)
    return request.json({ result: true, data: { events, current_status: events.at(-1) } })
  })

  return app
}
