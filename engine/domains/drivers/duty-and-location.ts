import * as v from 'valibot'
import type { MoveCall } from '../../entity/field.ts'
import { inputEntries } from '../../entity/input.ts'
import { callersIn } from '../../entity/reading.ts'
import { recorded } from '../../entity/recorded.ts'
import { accountOf } from '../../kernel/call.ts'
import { operation } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { driverDuty, driverStream, duty } from './duty.ts'
import { type DriverLocated, driverLocationStream, location } from './location.ts'

/** Common members of the operations that drivers call about themselves. */
function callEntries({ operation: name, summary, by, verb }: MoveCall) {
  const rest = { method: 'POST', path: `/api/v1/drivers/${verb}` } as const
  return { name, summary, scopes: ['drivers:write'], ...callersIn(by), risk: 'medium', tag: 'Driver', rest } as const
}

/** Sets the calling driver on or off duty. */
export const setDriverDuty = operation({
  ...callEntries(duty.moves.change.call),
  input: v.strictObject(inputEntries(duty, 'change')),
  output: v.strictObject({ result: v.literal(true), on_duty: v.boolean(), changed: v.boolean() }),
  errors: ['contention'],
  handle: async (context, { on_duty }) => {
    const { id: driver_id, business } = accountOf(context)
    const command = { driver_id, business_id: business.id, on_duty, at: isoOf(context.clock()) }
    const events = await execute(context.store, driverDuty, driverStream(driver_id), command, toNewEvent(context))
    return { result: true, on_duty, changed: events.length > 0 }
  },
})

/** Minimum milliseconds between two stored locations of a driver. */
const interval = 10_000

/** Reports the calling driver's location; reports within 10 seconds of the last one are not stored. */
export const tellDriverLocation = operation({
  ...callEntries(location.moves.locate.call),
  input: v.strictObject(inputEntries(location, 'locate')),
  output: v.strictObject({ result: v.literal(true), recorded: v.boolean() }),
  errors: [...location.moves.locate.call.errors, 'contention'],
  handle: async (context, input) => {
    const { id: driver_id, business } = accountOf(context)
    const now = context.clock()
    const stream = driverLocationStream(driver_id)
    return retryOnConflict(async () => {
      const [last] = await context.store.read(stream, { backwards: true, limit: 1 })
      const since = last === undefined ? interval : now - Date.parse((last.data as DriverLocated['data']).at)
      if (since < interval) return { result: true, recorded: false }
      const values = { driver_id, business_id: business.id, ...input }
      const data: DriverLocated['data'] = { at: isoOf(now), ...recorded(location, 'locate', values) }
      const event: DriverLocated = { type: location.moves.locate.event, data }
      await context.store.append(stream, [toNewEvent(context)(event)], last?.revision ?? 'no-stream')
      return { result: true, recorded: true }
    })
  },
})
