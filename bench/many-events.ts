import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Prepared, Sample, Settings, Topic } from './harness.ts'
import { requestOf, send } from './load.ts'
import { feedOf } from './timelines.ts'

/** What a node on an event store server holds in memory when it has taken many events. */
export const manyEvents: Topic = {
  name: 'many-events',
  summary: 'events in calls of 1,000 to a new node on an event store server, and its memory after them',
  unit: 'event',
  maxRounds: 1,
  prepare,
}

const [events, perCall] = [100_000, 1_000]

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const { EVENTSTORE_URL: given } = process.env
  const double = given === undefined ? await startChild({ kind: 'event store double' }) : undefined
  const server = given ?? `esdb://127.0.0.1:${double?.port}?tls=false`
  const lines = feedOf(Math.max(perCall, Math.round(events * scale)))

  async function run(): Promise<Sample> {
    progress('starting a node')
    const name = randomUUID()
    const store = `${server}${server.includes('?') ? '&' : '?'}otepPrefix=bench-${name}.`
    const node = await startChild({ kind: 'engine on a server', store, dataDir: join(directory, name), lines: [] })
    const headers = { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${node.key}` }
    const requests = Array.from({ length: Math.ceil(lines.length / perCall) }, (_, call) =>
      requestOf('POST', '/api/v1/otep/ingest', headers, lines.slice(call * perCall, (call + 1) * perCall).join('\n')),
    )
    const [before, begun] = [await node.cpuSeconds(), performance.now()]
    await send({ port: node.port, connections: 1, requests, status: 200 })
    const [seconds, after] = [(performance.now() - begun) / 1000, await node.cpuSeconds()]
    const { rss, heapUsed } = await node.memory()
    await node.stop()
    const figures = { 'resident MiB': rss / 2 ** 20, 'heap MiB': heapUsed / 2 ** 20 }
    return { units: lines.length, seconds, cpuSeconds: after - before, figures }
  }

  const close = async () => void (await double?.stop())
  return { cases: [{ name: `${lines.length.toLocaleString('en')} events`, run }], notes: [note], close }
}

const note =
  'The heap is what is used as it stands, garbage included. The server is that of EVENTSTORE_URL, or a double in a process of its own ' +
  'that takes 1 ms for a read and 6 ms for an append.'
