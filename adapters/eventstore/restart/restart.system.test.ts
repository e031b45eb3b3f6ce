import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Double } from '../../../conformance/eventstore/double.ts'
import type { Storage } from '../../../engine/index.ts'
import { createEngine } from '../../server.ts'
import { setUp } from '../eventstore.test.fixture.ts'

/** Records of others in the log. */
const foreign = 20_000

/** Records that an engine writes at a start, and looks at with a few readers. */
const own = 1_000

/** An engine on a server that others use much. */
async function createWorld(t: Test) {
  const { double, open } = await setUp(t)
  const directory = t.testdir({ one: {}, other: {} })
  const store = open()
  /** Starts it, works with it until all its policies have their turn, and stops it; the records that the server looked at. */
  async function session(node: 'one' | 'other' = 'one'): Promise<number> {
    const before = double.tally.records()
    const options = { store: double.connectionString, dataDir: join(directory, node), secretKey: '0'.repeat(64) }
    const engine = await createEngine(options)
    while ((await engine.fetch(new Request('http://localhost/readyz'))).status !== 200) await setTimeout(10)
    while (!(await areFar(store, double))) await setTimeout(50)
    await engine.close()
    for (const [reader, { records, checkpoints }] of double.tally.readers())
      if (records >= foreign) t.comment(`${records} records and ${checkpoints} checkpoints so far for ${reader}`)
    return double.tally.records() - before
  }
  return { double, session }
}

/** Whether every policy has the turn, and has kept how far it is. */
async function areFar({ leases }: Storage, { events }: Double): Promise<boolean> {
  const names = new Set(events().flatMap(({ stream }) => /^otep-lease-(.*)$/.exec(stream)?.[1] ?? []))
  const policies = [...names].filter((name) => !/^(node-\d+|webhooks|label-tracking)$/.test(name))
  const all = await Promise.all(policies.map((name) => leases.read(name)))
  return policies.length >= 10 && all.every((lease) => lease?.checkpoint !== undefined && lease.holder !== '')
}

t.test('given much of others, when an engine starts, then the server looks through it once', async (t) => {
  const { double, session } = await createWorld(t)
  double.foreign(foreign)
  const first = await session()
  t.ok(first >= foreign && first < foreign + own, `${first} records, at the first start`)
  const second = await session()
  t.ok(second < own, `${second} records, at a restart`)
  double.foreign(foreign)
  const third = await session()
  t.ok(third >= foreign && third < foreign + own, `${third} records, after as many were written meanwhile`)
  // The webhooks begin after the last event of the engine.
  const fourth = await session()
  t.ok(fourth < foreign + own, `${fourth} records, at another restart`)
  const other = await session('other')
  t.ok(other < foreign + own, `${other} records, at a node without read models`)
})
