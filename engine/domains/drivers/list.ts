import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { recordOf, recordSchemaOf } from '../../entity/record.ts'
import type { Person } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { dayIn } from '../../kernel/zone.ts'
import { duty, dutyModel } from './duty.ts'

const driverRecord = recordSchemaOf(duty, [], 'Driver')

/** Lists the active drivers of the business, in order of id. */
export const getDrivers = operation({
  name: 'get_drivers',
  summary:
    "Drivers of the business: whether they are on duty, and counts of today's orders. Drivers only see themselves.",
  scopes: ['drivers:read'],
  risk: 'low',
  tag: 'Driver',
  mcp: { title: 'Drivers' },
  rest: { method: 'GET', path: '/api/v1/drivers' },
  page: 'driver',
  input: v.strictObject({ on_duty: v.exactOptional(driverRecord.entries.on_duty), ...pageEntries }),
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

/** The duty rows of these drivers, queried in pages. */
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
    const added = { driver_id: id, name, on_duty: isOnDuty(row), today: countsOf(id) }
    return recordOf(duty, { ...row, ...added }, viewOf(context))
  })
}
