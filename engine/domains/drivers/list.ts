import * as v from 'valibot'
import type { Person } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { dayIn, zonedIso } from '../../kernel/zone.ts'
import { dutyModel } from './duty-model.ts'

const counts = v.strictObject({
  orders: v.number(),
  open: v.number(),
  delivered: v.number(),
  failed: v.pipe(v.number(), v.description('Attempts that have failed, and what went back to its sender.')),
})

const driverRecord = v.strictObject({
  id: v.pipe(v.number(), v.description('User id.')),
  name: v.exactOptional(v.string()),
  on_duty: v.boolean(),
  duty_changed_at: v.exactOptional(v.string()),
  today: v.pipe(counts, v.description('Orders of this driver that are scheduled for today.')),
})

/** The drivers of the business who can sign in, in order of their ids. */
export const getDrivers = operation({
  name: 'get_drivers',
  summary: 'The drivers of the business: whether they are on duty, and their orders of today. A driver sees itself.',
  scopes: ['drivers:read'],
  risk: 'low',
  tag: 'Driver',
  mcp: { title: 'Drivers' },
  rest: { method: 'GET', path: '/api/v1/drivers' },
  input: v.strictObject({ on_duty: v.exactOptional(v.boolean()), ...pageEntries }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, drivers: v.array(driverRecord) }),
  errors: [],
  handle: async (context, { on_duty, ...page }) => {
    const { id, role, business } = accountOf(context)
    const { range, paging } = pageOf(page)
    const people = role === 'customer' ? [] : await context.directory.people(context, business.id, 'driver')
    const seen = people.filter((person) => person.isActive && (role !== 'driver' || person.id === id))
    const duties = await dutiesOf(context, seen)
    const wanted = seen.filter((person) => on_duty === undefined || isOnDuty(duties.get(person.id)) === on_duty)
    const shown = wanted.slice(range.offset, range.offset + range.limit)
    return { result: true, total: wanted.length, ...paging, drivers: await recordsOf(context, shown, duties) }
  },
})

/** What is known of the duty of each, so many at a time as may be asked for. */
async function dutiesOf(context: Context, people: readonly Person[]): Promise<ReadonlyMap<number, Row>> {
  const found = new Map<number, Row>()
  for (let start = 0; start < people.length; start += maxAmong) {
    const driver_id = people.slice(start, start + maxAmong).map(({ id }) => id)
    const { rows } = await context.models.page(dutyModel, { among: { driver_id }, limit: maxAmong })
    for (const row of rows) found.set(Number(row.driver_id), row)
  }
  return found
}

function isOnDuty(row: Row | undefined): boolean {
  return row?.on_duty === 1
}

async function recordsOf(context: Context, people: readonly Person[], duties: ReadonlyMap<number, Row>) {
  const { timeZone } = accountOf(context).business
  const drivers = people.map(({ id }) => id)
  const countsOf = await context.ports.drivers.countOrders(context, drivers, dayIn(context.clock(), timeZone))
  return people.map(({ id, name }) => {
    const row = duties.get(id)
    const changed = typeof row?.changed_at === 'string' ? zonedIso(Date.parse(row.changed_at), timeZone) : undefined
    return {
      id,
      ...omitUndefined({ name }),
      on_duty: isOnDuty(row),
      ...omitUndefined({ duty_changed_at: changed }),
      today: countsOf(id),
    }
  })
}
