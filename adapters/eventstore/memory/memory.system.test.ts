import { randomUUID } from 'node:crypto'
import t from 'tap'
import { call, en, type Held, otepIngest, type RecordedEvent } from '../../../engine/index.ts'
import { createApp, createParts } from '../../main.ts'
import { configFrom } from '../../node/config.ts'
import { createTelemetry } from '../../telemetry/index.ts'
import { createCalls } from '../calls.ts'
import { fact, setUp } from '../eventstore.test.fixture.ts'
import { createHeads } from '../heads.ts'
import type { Log } from '../log.ts'
import { createRecent } from '../recent.ts'
import { createSpan } from '../span.ts'

/** The log of a server that is never asked. */
const silent = { prefix: '' } as Log

function event(stream: string, number: number, data: unknown): RecordedEvent {
  const position = `${String(number).padStart(20, '0')}/${String(number).padStart(20, '0')}`
  return { ...fact(data), stream, revision: 0, position, recordedAt: '2026-11-30T00:00:00.000Z' }
}

/** Within its bound, and filled: what was last used is still there. */
function isFull({ bytes, most }: Held): boolean {
  return bytes <= most && bytes > most / 2
}

t.test(
  'given many streams, when their ends are remembered, then the bytes are bounded, not their number',
  async (t) => {
    const heads = createHeads(silent, createCalls(silent, 0))
    const ids = Array.from({ length: 16 }, () => randomUUID())
    const place = { revision: 15, last: 15, ids }
    for (let number = 0; number < 20_000; number++) heads.set(`shelf-${number}`, place)
    t.ok(isFull(heads.held()))
    const append = (number: number) => ({ stream: `shelf-${number}` as const, expected: 15, events: [] })
    t.match([heads.recall(append(0)), heads.recall(append(19_999))], [undefined, place], 'the oldest went first')
    for (let number = 0; number < 20_000; number++) heads.forget(`shelf-${number}`)
    t.equal(heads.held().bytes, 0)
  },
)

t.test('given many calls, when they are decided, then the bytes of the decisions are bounded', async (t) => {
  const calls = createCalls(silent, 0)
  for (let number = 0; number < 20_000; number++)
    calls.commit({ stream: `tracking-tracking_number:${number}`, revision: 0, id: randomUUID() })
  t.ok(isFull(calls.held()))
})

t.test(
  'given much that the feed tells, when it is kept, then streams and names have bounds of their own',
  async (t) => {
    const recent = createRecent()
    for (let number = 0; number < 40_000; number++) recent.see([event(`shelf-${number}`, number, 'x'.repeat(500))])
    for (const held of recent.held()) t.ok(isFull(held), held.structure)
    recent.clear()
    t.same(
      recent.held().map(({ bytes }) => bytes),
      [0, 0],
    )
  },
)

t.test('given a part of the feed, when events are large, then it has fewer of them', async (t) => {
  const most = 16 * 1024 * 1024
  for (const [size, isBounded] of [
    [100, false],
    [10_000, true],
  ] as const) {
    const span = createSpan('')
    for (let number = 1; number <= 5_000; number++)
      span.add({ events: [event('shelf-1', number, 'x'.repeat(size))], end: String(number) })
    t.equal(span.bytes() > most / 2, isBounded)
    t.ok(span.bytes() <= most)
  }
})

t.test('given a node, when events are pushed, then its metrics say what it keeps of them', async (t) => {
  const { open } = await setUp(t)
  const store = open()
  const telemetry = await createTelemetry(configFrom({ OTEP_LOG_LEVEL: 'silent' }), '1.0.0')
  t.teardown(telemetry.close)
  const parts = createParts({ store })
  t.teardown(parts.models.close)
  const app = createApp({ parts, store, telemetry })

  /** Bytes, and the most bytes, by structure. */
  async function told(): Promise<ReadonlyMap<string, readonly [bytes: number, most: number]>> {
    const text = await (await app.request('/metrics')).text()
    const valuesOf = (name: string) =>
      new Map(
        [...text.matchAll(new RegExp(`^otep_memory_${name}_bytes{structure="(\\w+)"} (\\d+)$`, 'gm'))].map(
          ([, structure = '', value]) => [structure, Number(value)] as const,
        ),
      )
    const bounds = valuesOf('bound')
    return new Map([...valuesOf('held')].map(([name, bytes]) => [name, [bytes, bounds.get(name) ?? 0]]))
  }

  const structures = ['heads', 'decisions', 'streams', 'told', 'feed', 'timelines', 'identifiers']
  const before = await told()
  t.same([...before.keys()], structures)
  const caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] } as const
  const lines = ['P1', 'P2'].map((tracking_number) => ({
    ...{ subject: { tracking_number }, event_id: tracking_number, occurred_at: '2026-06-10T08:42:10Z' },
    status_code: 'in_transit',
  }))
  await call(otepIngest, { ...parts, caller, messages: en, requestId: '1' }, { document: { lines } })
  await store.latest()
  for (const [name, [bytes, most]] of await told()) t.ok(bytes > 0 && bytes <= most, `${name}: ${bytes} of ${most}`)
})
