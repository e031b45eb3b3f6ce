import { join } from 'node:path'
import { type Child, sampleOf, startChild } from './child.ts'
import { serverNote, startEventStore } from './event-store.ts'
import type { Case, Prepared, Settings, Topic } from './harness.ts'
import { requestOf, send } from './load.ts'
import { eventLine, timelineLength, trackingNumber } from './timelines.ts'

/** A node on its own server, beside what its users would write themselves. */
export const byOneself: Topic = {
  name: 'by-oneself',
  summary: 'calls of a node on an event store server, and of a service of Hono, valibot and the client',
  unit: 'call',
  prepare,
}

/** Calls of a round, by connections. */
const calls = { 1: 100, 8: 200, 16: 400, 64: 1_600 } as const

type Connections = keyof typeof calls

/** Parcels of a call of many, and events of it. */
const batch = { parcels: 20, events: 100 }

async function prepare({ rounds, scale, directory, progress }: Settings): Promise<Prepared> {
  const server = await startEventStore(progress)
  const [node, own] = await Promise.all([
    startChild({
      ...{ kind: 'engine on a server', store: server.newStore() },
      ...{ dataDir: join(directory, 'by-oneself'), lines: [] },
    }),
    startChild({ kind: 'hand-written', server: server.addressWith('throwOnAppendFailure=true') }),
  ])
  progress('recording parcels')
  const sides = [sideOf(node), sideOf(own)] as const
  const count = (connections: Connections) => Math.max(connections, Math.round(calls[connections] * scale))
  const known = Math.ceil(((count(1) + count(64)) * (rounds + 1)) / (timelineLength - 1)) + 64
  for (const side of sides) await side.begin(known)
  const cases = [
    ...pair('POST of 1 event of a known parcel', 1, (side, many) => side.next(many)),
    ...pair('POST of 1 event of a known parcel', 64, (side, many) => side.next(many)),
    ...pair('POST of 1 event of a new parcel', 1, (side, many) => side.first(many)),
    ...pair('POST of 1 event of a new parcel', 64, (side, many) => side.first(many)),
    ...pair(`POST of ${batch.events} events of ${batch.parcels} new parcels`, 1, (side, many) => side.many(many / 10)),
    ...pair(`POST of ${batch.events} events of ${batch.parcels} new parcels`, 8, (side, many) => side.many(many / 10)),
    ...pair('GET of a timeline', 1, (side, many) => side.read(many)),
    ...pair('GET of a timeline', 16, (side, many) => side.read(many)),
  ]

  function pair(work: string, connections: Connections, act: (side: Side, many: number) => Load): readonly Case[] {
    const called = `${work}, ${connections} at once`
    const run = (side: Side) => () => sampleOf(side.service, act(side, count(connections)), connections)
    return [
      { name: called, reference: `${called}, by oneself`, run: run(sides[0]) },
      { name: `${called}, by oneself`, run: run(sides[1]) },
    ]
  }

  const close = async () => void (await Promise.all([node.stop(), own.stop(), server.stop()]))
  return { cases, notes: [note], close }
}

const note =
  'By oneself: a service of 40 lines, with one append for each parcel of a call, or one read of its stream; it has no identifiers, ' +
  `no keys of personal data, no duplicates and no state machine. ${serverNote}`

type Load = readonly Buffer[]
type Side = ReturnType<typeof sideOf>

/** The calls to a service, each about its own parcels. */
function sideOf(service: Child) {
  const headers = { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${service.key}` }
  const post = (lines: readonly string[]) => requestOf('POST', '/api/v1/otep/ingest', headers, lines.join('\n'))
  /** Known parcels are the first ones; new ones come after them. */
  let [known, step, parcel] = [0, 0, 0]

  function next(many: number): Load {
    return Array.from({ length: many }, () => post([lineOf(step % known, 1 + Math.floor(step++ / known))]))
  }

  function first(many: number): Load {
    return Array.from({ length: many }, () => post([lineOf(parcel++, 0)]))
  }

  function many(count: number): Load {
    const eventsOf = (from: number) =>
      Array.from({ length: batch.events }, (_, at) =>
        lineOf(from + (at % batch.parcels), Math.floor(at / batch.parcels)),
      )
    return Array.from({ length: Math.ceil(count) }, () => {
      const lines = eventsOf(parcel)
      parcel += batch.parcels
      return post(lines)
    })
  }

  function read(many: number): Load {
    return Array.from({ length: many }, (_, at) =>
      requestOf('GET', `/api/v1/otep/trackings/${trackingNumber(at % known)}`),
    )
  }

  async function begin(parcels: number): Promise<void> {
    known = parcels
    await send({ port: service.port, connections: 64, requests: first(parcels), status: 200 })
  }

  return { service, next, first, many, read, begin }
}

/** An event of a parcel that has one number. */
function lineOf(parcel: number, age: number): string {
  const event = JSON.parse(eventLine(parcel, age)) as { readonly subject: { readonly tracking_number: string } }
  return JSON.stringify({ ...event, subject: { tracking_number: event.subject.tracking_number } })
}
