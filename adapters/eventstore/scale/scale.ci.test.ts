import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Double } from '../../../conformance/eventstore/double.ts'
import type { Storage } from '../../../engine/index.ts'
import { run } from '../../cli/run.ts'
import { createParts } from '../../engine.ts'
import { setUp } from '../eventstore.test.fixture.ts'

/** Events of this engine in the log, and as many of others; OTEP_TEST_SCALE=1000000 is for a run by hand. */
const size = Number(process.env.OTEP_TEST_SCALE || 20_000)

/** Events that are read without the filter where the server has not told yet how far it has come. */
const unfiltered = 2_500

const eventsOfParcel = 9

async function otep(directory: string, store: string, line: readonly string[], input = '') {
  const out: string[] = []
  const write = (text: string) => out.push(text) > 0
  const env = { OTEP_DATA_DIR: directory, OTEP_STORE: store }
  const stderr = { write, isTTY: false, columns: 80 } as never
  const code = await run(line, { env, stdin: Readable.from([input]), stdout: { write }, stderr })
  return { code, out: out.join('') }
}

/** One parcel as the engine writes it, and then the same under other numbers until the log is full. */
async function fill(t: Test, double: Double, directory: string, store: string): Promise<number> {
  const events = Array.from({ length: eventsOfParcel }, (_, number) =>
    JSON.stringify({
      ...{ event_id: `e${number}`, occurred_at: `2026-06-10T0${number}:42:10Z`, status_code: 'in_transit' },
      ...{ subject: { tracking_number: 'SR000000000' } },
    }),
  )
  t.match(await otep(directory, store, ['ingest', '-'], events.join('\n')), { code: 0 })
  const template = double.events().filter(({ stream }) => /^shop\.(identifier|tracking)-/.test(stream))
  t.equal(template.length, eventsOfParcel + 1, 'they and the identifier')
  const text = JSON.stringify(template)
  const parcels = Math.floor(size / template.length)
  double.foreign(size / 2)
  for (let parcel = 1; parcel < parcels; parcel++)
    double.put(JSON.parse(text.replaceAll('SR000000000', `SR${String(parcel).padStart(9, '0')}`)))
  double.foreign(size / 2)
  return parcels * template.length
}

/** Brings all read models of a node up, and closes them. */
async function bringUp(t: Test, store: Storage, file: string): Promise<void> {
  const { models } = createParts({ store, modelsFile: { file, name: 'a store' } })
  t.teardown(() => models.close())
  while (!(await models.state()).every(({ isCaughtUp }) => isCaughtUp)) await setTimeout(20)
  await models.close()
}

t.test('given a log of many events, when nodes start, then they are sent what their prefix holds', async (t) => {
  const directory = t.testdir({})
  const { double, open } = await setUp(t)
  const ofPrefix = (prefix: string) => `${double.connectionString}&otepPrefix=${prefix}`
  const own = await fill(t, double, directory, ofPrefix('shop.'))
  async function sentIn(what: string, work: () => Promise<unknown>) {
    const [before, start] = [double.tally.events(), performance.now()]
    await work()
    const sent = double.tally.events() - before
    t.comment(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s, ${sent} events, of ${own} own`)
    return sent
  }
  const file = join(directory, 'node.db')
  const start = (prefix: string, at: string) => () => bringUp(t, open({ connectionString: ofPrefix(prefix) }), at)
  t.ok((await sentIn('an empty engine', start('other.', join(directory, 'other.db')))) < unfiltered)
  const made = await sentIn('a new node', start('shop.', file))
  t.ok(made >= own && made < 3 * own + unfiltered, 'all of its own, to two or three readers')
  t.ok((await sentIn('a restart', start('shop.', file))) < unfiltered)
  const verified = await sentIn('verify', async () =>
    t.match(await otep(directory, ofPrefix('shop.'), ['verify']), { code: 0, out: /whole/ }),
  )
  t.ok(verified >= own && verified < 1.5 * own + unfiltered, `in one pass: ${verified}`)
})
