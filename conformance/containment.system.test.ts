import t from 'tap'
import { aggregation, at, carton, journey, moved, pallet, server, shownOf, sscc } from './containment.test.fixture.ts'

t.test('given 10,000 things in a container, when it departs, then each of them tells it', async (t) => {
  const { capture, told } = await server()
  const things = Array.from({ length: 10_000 }, (_, index) => carton(index + 1))
  const { accepted } = await capture(aggregation('ADD', 8, pallet, things))
  t.equal(accepted, 10_001)
  await capture(moved('departing', 9, pallet))
  for (const one of [0, 4_999, 9_999])
    t.same(await told(things[one] ?? ''), ['x-packing', `package_outbound < ${sscc}`])
})

t.test('given a pallet with more than 20,000 events, when a carton is read, then they are left out', async (t) => {
  const { capture, post, told } = await server()
  await capture(...journey)
  const scan = (from: number) => (_: unknown, index: number) => ({
    ...{ otep_version: '0.1', event_id: `s${from + index}`, status_code: 'x-scan' },
    occurred_at: new Date(Date.parse(at(17)) + from + index).toISOString(),
  })
  const sendScans = (from: number, length: number) =>
    post('/ingest', { subject: { gs1_sscc: sscc }, events: Array.from({ length }, scan(from)) })
  // It has five more of the journey.
  await sendScans(0, 10_000)
  await sendScans(10_000, 9_995)
  t.same(await told(carton(1)), shownOf)
  await sendScans(20_000, 1)
  t.same(await told(carton(1)), ['x-packing', 'x-unpacking'])
})
