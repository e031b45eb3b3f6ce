import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { type Route, routeStatuses } from './route.ts'

/** The roles that plan routes; contractors only with their own orders. */
export const planners = ['client_admin', 'client_employee', 'contractor'] as const

/** The path member for a route. */
export const routeEntries = { route_id: v.pipe(id, v.description('Id of the route.')) }

const count = v.pipe(v.number(), v.safeInteger())

/** A route in the answers of writes, without personal data. */
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

/** The time of a command and the calling account. */
export function commandStamp({ caller, clock }: Pick<Context, 'caller' | 'clock'>) {
  return { at: isoOf(clock()), by: caller.account?.id ?? null }
}
