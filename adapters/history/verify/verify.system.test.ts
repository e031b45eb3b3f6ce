import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { startDouble } from '../../../conformance/eventstore/double.ts'
import { run } from '../../cli/run.ts'

/** Command lines on a server of events, and what they ask of it. */
async function createWorld(t: Test) {
  const double = await startDouble()
  t.teardown(() => double.close())
  const directory = t.testdir({})
  const OTEP_STORE = `${double.connectionString}&otepPrefix=shop.`
  async function otep(line: readonly string[], input = '', node = 'one') {
    const out: string[] = []
    const write = (text: string) => out.push(text) > 0
    const env = { OTEP_STORE, OTEP_DATA_DIR: join(directory, node), OTEP_SECRET_KEY: '11'.repeat(32) }
    const stderr = { write, isTTY: false, columns: 80 } as never
    const code = await run(line, { env, stdin: Readable.from([input]), stdout: { write }, stderr })
    return { code, out: out.join('') }
  }
  async function asked(work: () => Promise<unknown>) {
    const [calls, events] = [double.tally.calls().length, double.tally.events()]
    await work()
    const reads = double.tally
      .calls()
      .slice(calls)
      .filter((call) => call.startsWith('read'))
    // The key of a timeline is read at its beginning; where a part of the log ends within a call, its decision is, too.
    const keys = new Set(reads.filter((call) => /shop\.(otep-key|tracking)-/.test(call))).size
    return { keys, reads: reads.length - keys, events: double.tally.events() - events }
  }
  return { double, otep, asked }
}

/** Two events of each parcel, one of them with personal data. */
function parcels(count: number): string {
  const events = Array.from({ length: count }, (_, number) =>
    ['picked_up', 'in_transit'].map((status_code, place) =>
      JSON.stringify({
        ...{ event_id: `e${place}`, occurred_at: `2026-06-10T0${place}:42:10Z`, status_code },
        subject: { tracking_number: `SR${String(number).padStart(9, '0')}` },
        ...(place === 0 ? { description: 'Left with Zebulon Quillfeather' } : {}),
      }),
    ),
  )
  return events.flat().join('\n')
}

/** Events in the largest part that a node takes of the log at once. */
const part = 500

t.test('given many streams on a server, when they are verified, then their events pass once', async (t) => {
  const { double, otep, asked } = await createWorld(t)
  const count = 700
  t.match(await otep(['ingest', '-'], parcels(count)), { code: 0 })
  const own = double.events().length
  const keys = double.events().filter(({ type }) => type === 'otep.key').length
  for (const what of ['a node without read models', 'a node that has them']) {
    const all = await asked(async () =>
      t.match(await otep(['verify']), {
        code: 0,
        out: new RegExp(`whole \\(${3 * count} events, ${2 * count} streams`),
      }),
    )
    t.comment(`${what}: ${JSON.stringify(all)}, of ${own} events`)
    t.equal(all.keys, keys, 'each key is read once')
    t.ok(all.reads <= 20 + own / part, `${what} reads parts of the log, and no streams`)
    t.ok(all.events - keys < 1.5 * own, 'its events come once')
  }
})

t.test('given many streams on a server, when they are exported, then their events pass once', async (t) => {
  const { double, otep, asked } = await createWorld(t)
  t.match(await otep(['ingest', '-'], parcels(300)), { code: 0 })
  const own = double.events().length
  const all = await asked(async () => t.match(await otep(['export']), { code: 0, out: /"events":900,/ }))
  t.comment(`${JSON.stringify(all)}, of ${own} events`)
  t.ok(all.reads <= 20 + own / part)
  t.ok(all.events - all.keys < 1.5 * own)
})

t.test('given many read models, when all are rebuilt, then the events pass once for all of them', async (t) => {
  const { double, otep, asked } = await createWorld(t)
  t.match(await otep(['ingest', '-'], parcels(300)), { code: 0 })
  const own = double.events().length
  t.match(await otep(['rebuild', '--all']), { code: 0 })
  const all = await asked(async () =>
    t.match(await otep(['rebuild', '--all']), { code: 0, out: /identifiers: 300 rows/ }),
  )
  t.comment(`${JSON.stringify(all)}, of ${own} events`)
  t.ok(all.reads <= 20 + own / part)
  t.ok(all.events - all.keys < 1.5 * own)
})
