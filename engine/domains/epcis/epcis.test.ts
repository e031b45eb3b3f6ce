import t from 'tap'
import { isEngineError } from '../../kernel/errors.ts'
import { lastTick, nextTick, scheduleIn, ticksOf } from './schedule.ts'

const after = '2026-06-10T12:00:00.000Z'

/** The first times of a schedule after a Wednesday at noon. */
function timesOf(schedule: object, count = 3): readonly string[] {
  const { ticks } = scheduleIn(schedule)
  const times: number[] = []
  for (let at = Date.parse(after); times.length < count; times.push(at)) at = nextTick(ticks, at) ?? Number.NaN
  return times.map((time) => new Date(time).toISOString().slice(0, 19))
}

t.test('given a schedule, then its times are those that match every field, in UTC', async (t) => {
  const expected: readonly (readonly [schedule: object, times: readonly string[]])[] = [
    [{ hour: '1', minute: '5' }, ['2026-06-11T01:05:00', '2026-06-12T01:05:00', '2026-06-13T01:05:00']],
    [{ minute: 0 }, ['2026-06-10T13:00:00', '2026-06-10T14:00:00', '2026-06-10T15:00:00']],
    [{ second: '0' }, ['2026-06-10T12:01:00', '2026-06-10T12:02:00', '2026-06-10T12:03:00']],
    [{ second: '0/30' }, ['2026-06-10T12:00:30', '2026-06-10T12:01:00', '2026-06-10T12:01:30']],
    [{ minute: '10,[40-41]' }, ['2026-06-10T12:10:00', '2026-06-10T12:40:00', '2026-06-10T12:41:00']],
    [{ minute: '*/20' }, ['2026-06-10T12:20:00', '2026-06-10T12:40:00', '2026-06-10T13:00:00']],
    [{ hour: '1', second: '30' }, ['2026-06-11T01:00:30', '2026-06-11T01:01:30', '2026-06-11T01:02:30']],
    [{ dayOfWeek: '1' }, ['2026-06-15T00:00:00', '2026-06-22T00:00:00', '2026-06-29T00:00:00']],
    [{ dayOfWeek: '7', hour: '6' }, ['2026-06-14T06:00:00', '2026-06-21T06:00:00', '2026-06-28T06:00:00']],
    [{ dayOfMonth: '31' }, ['2026-07-31T00:00:00', '2026-08-31T00:00:00', '2026-10-31T00:00:00']],
    [{ month: '2', dayOfMonth: '29' }, ['2028-02-29T00:00:00', '2032-02-29T00:00:00', '2036-02-29T00:00:00']],
    [{ dayOfMonth: '13', dayOfWeek: '5' }, ['2026-11-13T00:00:00', '2027-08-13T00:00:00', '2028-10-13T00:00:00']],
  ]
  for (const [schedule, times] of expected) t.same(timesOf(schedule), times, JSON.stringify(schedule))
})

t.test('given an instant, then the last time is the one before it, or the instant itself', async (t) => {
  const ticks = ticksOf({ hour: '1', minute: '5' })
  const last = (until: string) => new Date(lastTick(ticks, Date.parse(until)) ?? Number.NaN).toISOString()
  t.equal(last('2026-06-10T01:05:00.000Z'), '2026-06-10T01:05:00.000Z')
  t.equal(last('2026-06-10T01:04:59.999Z'), '2026-06-09T01:05:00.000Z')
})

t.test('given a schedule that is wrong, too frequent or never comes, then it is refused by name', async (t) => {
  const refused: readonly (readonly [schedule: unknown, parameter: string])[] = [
    [{}, 'schedule'],
    ['daily', 'schedule'],
    [{ year: '2027' }, 'schedule.year'],
    [{ hour: '24' }, 'schedule.hour'],
    [{ hour: '' }, 'schedule.hour'],
    [{ hour: ['1'] }, 'schedule.hour'],
    [{ minute: '5-1' }, 'schedule.minute'],
    [{ minute: '0/0' }, 'schedule.minute'],
    [{ dayOfMonth: '0' }, 'schedule.dayOfMonth'],
    [{ dayOfWeek: '0' }, 'schedule.dayOfWeek'],
    [{ second: '*' }, 'schedule.second'],
    [{ second: '0,55' }, 'schedule.second'],
    [{ month: '2', dayOfMonth: '30' }, 'schedule'],
  ]
  for (const [schedule, parameter] of refused) {
    try {
      scheduleIn(schedule)
      t.fail(`${JSON.stringify(schedule)} is taken`)
    } catch (error) {
      t.ok(isEngineError(error, 'epcis_subscription_refused'), JSON.stringify(schedule))
      t.match(error, { params: { parameter } })
    }
  }
})
