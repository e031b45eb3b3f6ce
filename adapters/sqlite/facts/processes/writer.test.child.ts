import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { type EventStore, type NewEvent, retryOnConflict, type StreamName } from '../../../../engine/index.ts'
import { createSqliteStore } from '../index.ts'

/**
 * A process that writes to a store: `<file> <calls>` makes that many calls and ends, `<file> forever` continues until
 * it is killed. Each answered call is one line on standard output.
 */
const [file = '', calls = 'forever'] = process.argv.slice(2)
const store = createSqliteStore({ file, clock: Date.now })

if (calls === 'forever') {
  await Promise.all([1, 2, 3, 4].map((lane) => writeCalls(lane, Number.POSITIVE_INFINITY)))
} else {
  await writeCalls(1, Number(calls))
  await store.close()
}

/** Every call adds to `shelf-1`; every third also to another stream, in the same transaction. */
async function writeCalls(lane: number, count: number) {
  for (let turn = 0; turn < count; turn++) {
    const streams: readonly StreamName[] = turn % 3 === 2 ? ['shelf-1', `box-${lane}`] : ['shelf-1']
    const size = 1 + (turn % 4)
    const call = { call: randomUUID(), of: streams.length * size }
    const events = streams.map(() => Array.from({ length: size }, () => factOf(call)))
    const answers = await retryOnConflict(() => appendAll(store, streams, events))
    writeSync(1, `${JSON.stringify({ ...call, answers })}\n`)
  }
}

async function appendAll(store: EventStore, streams: readonly StreamName[], events: readonly (readonly NewEvent[])[]) {
  const lasts = await Promise.all(streams.map((stream) => store.read(stream, { backwards: true, limit: 1 })))
  return store.appendMany(
    streams.map((stream, index) => ({
      stream,
      events: events[index] ?? [],
      expected: lasts[index]?.[0]?.revision ?? 'no-stream',
    })),
  )
}

function factOf(data: unknown): NewEvent {
  return { id: randomUUID(), type: 'SomethingHappened', data, metadata: { schemaVersion: 1 } }
}
