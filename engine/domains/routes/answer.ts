import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { type Route, routeStatuses } from './route.ts'

/** The kinds of account that plan routes: a contractor those of the orders that it has. */
export const planners = ['client_admin', 'client_employee', 'contractor'] as const

/** The member that names a route. */
export const routeEntries = { route_id: v.pipe(id, v.description('Id of the route.')) }

const count = v.pipe(v.number(), v.safeInteger())

/** What answers of writes tell of a route: numbers and status, and nothing of people. */
export const routeSummary = v.strictObject({
  result: v.literal(true),
  route_id: count,
  status: v.picklist(routeStatuses),
  driver_id: v.exactOptional(count),
})

/** The summary of a route. */
export function summarized({ id: route_id, status, driverId }: Route): v.InferOutput<typeof routeSummary> {
  return { result: true, route_id, status, ...(driverId === undefined ? {} : { driver_id: driverId }) }
}

/** When and by whose account something is commanded. */
export function commandStamp({ caller, clock }: Pick<Context, 'caller' | 'clock'>) {
  return { at: isoOf(clock()), by: caller.account?.id ?? null }
}
