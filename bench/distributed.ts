import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { type Child, sampleOf, startChild } from './child.ts'
import { type EventStoreServer, serverNote, startEventStore } from './event-store.ts'
import type { Case, Sample, Topic } from './harness.ts'
import { requestOf, send } from './load.ts'
import { eventLine, timelineLength, trackingNumber } from './timelines.ts'

/** Connections of callers, and calls of the bare client under way. */
const callers = 64

/** Parcels of one round; each gets the rest of its events in it. */
const parcelsARound = 400

/** The node on its own server, beside the client that it uses itself. */
export const distributed: Topic = {
  name: 'distributed',
  summary: `one event of a known parcel a call, ${callers} connections, on an event store server, and the bare client`,
  unit: 'call',
  prepare: async ({ rounds, scale, directory, progress }) => {
    const parcels = Math.max(callers, Math.round(parcelsARound * scale))
    const all = parcels * (rounds + 1)
    const server = await startEventStore(progress)
    const node = await startChild({
      kind: 'engine on a server',
      store: server.newStore(),
      dataDir: join(directory, 'distributed'),
      lines: [],
    })
    const first = Array.from({ length: all }, (_, parcel) => eventLine(parcel, 0))
    await send({ port: node.port, connections: callers, requests: first.map(postOf(node)), status: 200 })
    const client = await bareClient(server, parcels, rounds)
    const batches = await bareClient(server, parcels, rounds, 'in batches')
    const close = async () => {
      await Promise.all([client.dispose(), batches.dispose()])
      await Promise.all([node.stop(), server.stop()])
    }
    const cases = [
      { name: posts, reference: appends, run: posting(node, parcels) },
      { name: appends, run: client.appending },
      { name: batched, run: batches.appending },
      { name: gets, reference: reads, run: reading(node, all) },
      { name: reads, run: client.reading },
    ]
    return { cases, notes: [note], close }
  },
}

const posts = `POST of 1 event, ${callers} connections`
const appends = `bare client, an append each, ${callers} at once`
const batched = 'bare client, appends that share a call, 64 at once'
const gets = 'GET of a timeline, one after the other'
const reads = 'bare client, a read of a stream each, one after the other'

const note =
  'Each POST is one append on the server, after the question for the end of the log that calls share. Appends of the node ' +
  `share a call of the server, as the bare client has it by default. ${serverNote}`

function postOf({ key }: Child): (line: string) => Buffer {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
  return (line) => requestOf('POST', '/api/v1/otep/ingest', headers, line)
}

/** Every call names another parcel, as far as there are enough; the node knows the parcel from its first event. */
function posting(node: Child, parcels: number): Case['run'] {
  let first = 0
  return async () => {
    const lines = Array.from({ length: timelineLength - 1 }, (_, age) =>
      Array.from({ length: parcels }, (_, parcel) => eventLine(first + parcel, age + 1)),
    ).flat()
    first += parcels
    return sampleOf(node, lines.map(postOf(node)), callers)
  }
}

function reading(node: Child, parcels: number): Case['run'] {
  let at = 0
  return () => {
    const requests = Array.from({ length: 300 }, () =>
      requestOf('GET', `/api/v1/otep/trackings/${trackingNumber(at++ % parcels)}`),
    )
    return sampleOf(node, requests, 1)
  }
}

/** The client alone, in this process, with an append or a read for each call of the node. */
async function bareClient(server: EventStoreServer, parcels: number, rounds: number, way?: 'in batches') {
  const client = EventStoreDBClient.connectionString(server.addressWith('throwOnAppendFailure=true'))
  // Otherwise, appends share a call.
  if (way === undefined) Object.assign(client, { supports: async () => false })
  const data = JSON.parse(eventLine(0, 0)) as Record<string, string>
  const name = randomUUID()
  const append = (stream: string, revision: number) =>
    client.appendToStream(stream, jsonEvent({ type: 'TrackingEventRecorded', data }), {
      expectedRevision: revision < 0 ? NO_STREAM : BigInt(revision),
      requiresLeader: true,
    })
  const nameOf = (parcel: number) => `bare-${name}-${parcel}`
  for (let parcel = 0; parcel < parcels * (rounds + 1); parcel += callers)
    await Promise.all(Array.from({ length: callers }, (_, lane) => append(nameOf(parcel + lane), -1)))
  let first = 0

  async function appendAll(): Promise<number> {
    const calls = parcels * (timelineLength - 1)
    let next = 0
    const lane = async () => {
      for (let call = next++; call < calls; call = next++)
        await append(nameOf(first + (call % parcels)), Math.floor(call / parcels))
    }
    await Promise.all(Array.from({ length: callers }, lane))
    first += parcels
    return calls
  }

  async function readSome(): Promise<number> {
    for (let call = 0; call < 300; call++)
      for await (const _ of client.readStream(nameOf(call % parcels), { requiresLeader: true }));
    return 300
  }

  return {
    appending: () => ownSample(appendAll),
    reading: () => ownSample(readSome),
    dispose: () => client.dispose(),
  }
}

async function ownSample(work: () => Promise<number>): Promise<Sample> {
  const [before, start] = [process.cpuUsage(), performance.now()]
  const units = await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(before)
  return { units, seconds, cpuSeconds: (user + system) / 1e6 }
}
