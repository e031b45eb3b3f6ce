import { join } from 'node:path'
import { sampleOf, startChild } from './child.ts'
import { serverNote, startEventStore } from './event-store.ts'
import type { Prepared, Sample, Settings, Topic } from './harness.ts'
import { requestOf } from './load.ts'
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
  const server = await startEventStore(progress)
  const lines = feedOf(Math.max(perCall, Math.round(events * scale)))

  let starts = 0

  async function run(): Promise<Sample> {
    progress('starting a node')
    const store = server.newStore()
    const dataDir = join(directory, `many-events-${starts++}`)
    const node = await startChild({ kind: 'engine on a server', store, dataDir, lines: [] })
    const headers = { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${node.key}` }
    const requests = Array.from({ length: Math.ceil(lines.length / perCall) }, (_, call) =>
      requestOf('POST', '/api/v1/otep/ingest', headers, lines.slice(call * perCall, (call + 1) * perCall).join('\n')),
    )
    const { seconds, cpuSeconds } = await sampleOf(node, requests, 1)
    const { rss, heapUsed } = await node.memory()
    await node.stop()
    const figures = { 'resident MiB': rss / 2 ** 20, 'heap MiB': heapUsed / 2 ** 20 }
    return { units: lines.length, seconds, cpuSeconds, figures }
  }

  return { cases: [{ name: `${lines.length.toLocaleString('en')} events`, run }], notes: [note], close: server.stop }
}

const note = `The heap is what is used as it stands, garbage included. ${serverNote}`
