import t from 'tap'
import type { StreamName } from '../../../engine/index.ts'
import { fact, setUp, until } from '../eventstore.test.fixture.ts'

const boxes = Array.from({ length: 40 }, (_, box): StreamName => `box-${box}`)

t.test('given many appends at once, when they are sent, then one call of the server carries them', async (t) => {
  const { double, open } = await setUp(t)
  const store = open()
  const first = await Promise.all(boxes.map((box) => store.append(box, [fact()], 'no-stream')))
  const second = await Promise.all(boxes.map((box) => store.append(box, [fact(), fact()], 0)))
  t.strictSame(
    [first, second].map((appended) => appended.map(({ stream, revision }) => [stream, revision])),
    [0, 2].map((revision) => boxes.map((box) => [box, revision])),
  )
  for (const box of boxes) t.match((await store.read(box)).at(-1), { position: second[boxes.indexOf(box)]?.position })
  t.strictSame(callsOf(double), { appends: 80, batches: 1 })
})

t.test('given a call that ends, when appends wait for it, then each is recorded once, and others go on', async (t) => {
  const { double, open } = await setUp(t)
  // A time limit that the test would not outlast.
  const store = open({ timeout: 60_000 })
  await store.append('box-0', [fact()], 'no-stream')
  double.faults.delay(200)
  const rest = boxes.slice(1)
  const appended = Promise.all(rest.map((box) => store.append(box, [fact()], 'no-stream')))
  await until(() => callsOf(double).appends === boxes.length)
  double.faults.dropBatches()
  for (const place of await appended) t.match(place, { revision: 0 })
  t.equal(double.events().length, boxes.length)
  double.faults.delay(0)
  t.match(await store.append('box-1', [fact()], 0), { revision: 1 })
  t.strictSame(callsOf(double), { appends: 2 * boxes.length, batches: 2 })
})

t.test(
  'given what a server will never take, when it is sent, then the reason is told, and others are not held up',
  async (t) => {
    const { double, open } = await setUp(t, { maxAppendSize: 10_000 })
    const store = open()
    const [large, deleted, small] = await Promise.allSettled([
      store.append('box-0', [fact('x'.repeat(20_000))], 'no-stream'),
      store.keys.remove('box-1').then(() => store.keys.add('box-1', 'key')),
      store.append('box-2', [fact()], 'no-stream'),
    ])
    t.match(large, { status: 'rejected', reason: { code: 'too_large_to_store', params: { limit: 10_000 } } })
    t.match(deleted, { status: 'fulfilled', value: undefined })
    t.match(small, { status: 'fulfilled', value: { revision: 0 } })
    t.equal(callsOf(double).batches, 1)
  },
)

t.test('given an append that others would wait for, when it is sent, then it goes in a separate call', async (t) => {
  const { double, open } = await setUp(t)
  const data = 'x'.repeat(300_000)
  t.match(await open().append('box-0', [fact(data), fact(data)], 'no-stream'), { revision: 1 })
  t.strictSame(callsOf(double), { appends: 2, batches: 0 })
})

/** How many appends the server was sent, and how many calls that carry them side by side. */
function callsOf({ tally }: Awaited<ReturnType<typeof setUp>>['double']) {
  const calls = tally.calls()
  return {
    appends: calls.filter((call) => call.startsWith('append ')).length,
    batches: calls.filter((call) => call === 'batches').length,
  }
}
