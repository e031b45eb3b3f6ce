import fc from 'fast-check'
import t from 'tap'
import { isoOf } from '../engine/index.ts'
import { runs } from '../engine/testing/runs.test.fixture.ts'
import { createWorld, day, scan, sentTwice, start } from './disorder.test.fixture.ts'

const delivered = scan('d', 'delivered', '2026-11-28T10:00:00Z')
const before = scan('o', 'out_for_delivery', '2026-11-28T07:00:00Z')
const codesOf = (events: readonly { readonly status_code: string }[] = []) => events.map((one) => one.status_code)

t.test('given an event of next year, when it is read, then it is marked, and the parcel is delivered', async (t) => {
  const wrong = scan('w', 'in_transit', '2027-11-28T10:00:00Z')
  for (const calls of [
    [[before, delivered, wrong]],
    [[wrong], [delivered], [before]],
    [[before], [wrong, delivered]],
  ]) {
    const { push, read } = createWorld()
    for (const lines of calls) {
      const results = await push({ lines })
      t.ok(results.every(({ outcome }) => outcome === 'accepted'))
      t.same(
        results[lines.indexOf(wrong)]?.warnings?.map(({ code }) => code),
        lines.includes(wrong) ? ['in_future'] : undefined,
      )
    }
    const { data, warnings } = await read('SR1')
    t.match(data, { current_status: 'delivered', delivered: true })
    t.same(codesOf(data.events), ['out_for_delivery', 'delivered'])
    t.same(codesOf(data.future_events), ['in_transit'])
    t.match(warnings, [{ path: 'future_events[0].occurred_at', code: 'in_future' }])
    await push({ ...wrong, withdrawn: { declared_at: isoOf(start) } })
    await push({ lines: [scan('r', 'return_to_sender', '2026-11-29T11:00:00Z')] })
    const after = await read('SR1')
    t.same(codesOf(after.data.events), ['out_for_delivery', 'delivered', 'return_to_sender'])
    t.equal(after.data.future_events, undefined)
    t.equal(after.warnings, undefined)
  }
})

t.test('given times that are wrong by hours, or by more than a day, then only the first count', async (t) => {
  const kinds: readonly (readonly [kind: string, at: string, counts: boolean])[] = [
    ['a clock that is fast by minutes', '2026-11-29T12:07:00Z', true],
    ['afternoon for morning', '2026-11-29T23:00:00Z', true],
    ['the time of Auckland without its offset', '2026-11-30T01:00:00Z', true],
    ['an offset with the wrong sign', '2026-11-30T02:00:00+00:00', true],
    ['an hour that there is twice', '2026-11-29T13:30:00+01:00', true],
    ['exactly a day', isoOf(start + day), true],
    ['a millisecond more', isoOf(start + day + 1), false],
    ['the month for the day', '2026-12-11T10:00:00Z', false],
    ['the next year', '2027-11-29T10:00:00Z', false],
    ['two digits that were swapped', '2062-11-29T10:00:00Z', false],
    ['a date that means none', '9999-12-31T23:59:59Z', false],
  ]
  for (const [kind, at, counts] of kinds) {
    for (const code of ['delivered', 'in_transit', 'cancelled', 'x-photo']) {
      const { push, read } = createWorld()
      await push({ lines: [scan('w', code, at, { estimated_delivery_at: '2026-12-02T10:00:00Z' }), before] })
      const { data } = await read('SR1')
      t.equal(data.current_status, counts ? code : 'out_for_delivery', `${kind}: ${code}`)
      t.equal(data.delivered, counts && code === 'delivered')
      t.equal(data.future_events?.length, counts ? undefined : 1)
    }
  }
})

t.test('given only an event ahead of its time, then the number is found, and has no status', async (t) => {
  const { push, read } = createWorld()
  await push(scan('w', 'delivered', '2027-01-28T10:00:00Z'))
  t.match((await read('SR1')).data, { delivered: false, events: [], future_events: [{ status_code: 'delivered' }] })
  t.equal((await read('SR1')).data.current_status, undefined)
})

t.test(
  'given an event ahead of its time, when that comes, then each read and each tag follows the clock',
  async (t) => {
    const world = createWorld()
    const { push, read, tagOf, moveTo, facts } = world
    await push({
      lines: [before, scan('w', 'delivered', '2026-12-05T10:00:00Z'), scan('x', 'x-photo', '2026-12-07T10:00:00Z')],
    })
    const [first] = [await tagOf('SR1')]
    const come = Date.parse('2026-12-04T10:00:00Z')
    moveTo(come - 1)
    t.equal(await tagOf('SR1'), first)
    t.equal((await read('SR1')).data.delivered, false)
    moveTo(come)
    const second = await tagOf('SR1')
    t.not(second, first, 'though nothing was recorded')
    t.match((await read('SR1')).data, {
      delivered: true,
      current_status: 'delivered',
      future_events: [{ event_id: 'x' }],
    })
    moveTo(come + 2 * day)
    t.not(await tagOf('SR1'), second)
    t.equal((await read('SR1')).data.future_events, undefined)
    t.equal((await facts('SR1')).filter((type) => type === 'TrackingEventBecameDue').length, 0)
    for (let pass = 0; pass < 3; pass++) await world.passDeadlines()
    t.equal((await facts('SR1')).filter((type) => type === 'TrackingEventBecameDue').length, 2, 'each once')
  },
)

t.test(
  'given events ahead of their time, when one was withdrawn or enriched, then it is due never or once',
  async (t) => {
    const world = createWorld()
    const [gone, kept] = [
      scan('g', 'delivered', '2026-12-05T10:00:00Z'),
      scan('k', 'in_transit', '2026-12-05T11:00:00Z'),
    ]
    await world.push({ lines: [before, gone, kept] })
    await world.push({ ...gone, withdrawn: { declared_at: isoOf(start) } })
    await world.push({ ...kept, location: { name: 'Lyon hub' } })
    await world.passDeadlines()
    t.notOk((await world.facts('SR1')).includes('TrackingEventBecameDue'), 'not before its time')
    world.moveTo(Date.parse('2026-12-06T10:00:00Z'))
    await world.passDeadlines()
    await world.passDeadlines()
    t.equal((await world.facts('SR1')).filter((type) => type === 'TrackingEventBecameDue').length, 1)
    t.match((await world.read('SR1')).data, { current_status: 'in_transit', delivered: false })
  },
)

t.test('given a number that a wrong event took, when that is withdrawn, then the number is where it was', async (t) => {
  const { push, read } = createWorld()
  await push({
    lines: [scan('o', 'out_for_delivery', '2026-06-01T07:00:00Z'), scan('d', 'delivered', '2026-06-01T10:00:00Z')],
  })
  const wrong = {
    ...scan('w', 'in_transit', '2026-11-28T10:00:00Z'),
    subject: { tracking_number: 'SR1', piece_id: 'P1' },
  }
  await push(wrong)
  t.same(codesOf((await read('SR1')).data.events), ['in_transit'], 'as if it were used again')
  await push({ ...wrong, withdrawn: { declared_at: isoOf(start) } })
  t.same(codesOf((await read('SR1')).data.events), ['out_for_delivery', 'delivered'])
  await push({ ...scan('r', 'return_to_sender', '2026-06-03T10:00:00Z'), subject: wrong.subject })
  for (const number of ['SR1', 'P1']) t.equal((await read(number)).data.current_status, 'return_to_sender', number)
  t.same(await push(wrong), [{ path: '', outcome: 'duplicate', event_id: 'w' }], 'it does not come back')
  await push(scan('n', 'picked_up', '2026-11-29T10:00:00Z'))
  t.same(codesOf((await read('SR1')).data.events), ['picked_up'], 'until it is used again')
})

t.test(
  'given a journey that was spoilt, when it comes in any order and in any calls, then the answers are the same',
  async (t) => {
    const formats = [undefined, 'aftership', 'shopify', 'sensorthings', 'uncefact', 'onerecord']
    await fc.assert(
      fc.asyncProperty(sentTwice, async (ways) => {
        const worlds = []
        for (const documents of ways) {
          const world = createWorld()
          for (const document of documents) {
            const results = await world.push(document)
            if (results.some(({ outcome }) => outcome === 'rejected')) throw new Error(JSON.stringify(results))
          }
          worlds.push(world)
        }
        const [one, other] = worlds
        if (one === undefined || other === undefined) throw new Error('there are two ways')
        for (const instant of [start, start + 300 * day, start + 15_000 * day]) {
          for (const { moveTo, passDeadlines } of worlds) {
            moveTo(instant)
            if (instant > start + 400 * day) await passDeadlines()
          }
          for (const format of formats) {
            const [told, due] = [await one.read('SR1', format), await other.read('SR1', format)]
            if (JSON.stringify(told) !== JSON.stringify(due)) t.same(told, due, fc.stringify(ways))
          }
        }
      }),
      { numRuns: runs(t, 60) },
    )
    t.pass()
  },
)
