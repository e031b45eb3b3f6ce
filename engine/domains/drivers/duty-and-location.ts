import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { EngineError } from '../../kernel/errors.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { placeEntries } from '../../kernel/schemas.ts'
import { instantProblem, isoOf } from '../../kernel/time.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type DriverLocated, driverDuty, driverLocationStream, driverStream } from './driver.ts'

/** A driver comes on duty, or goes off it. */
export const setDriverDuty = operation({
  name: 'set_driver_duty',
  summary: 'Come on duty or go off it, as a driver.',
  scopes: ['drivers:write'],
  roles: ['driver'],
  risk: 'medium',
  tag: 'Driver',
  rest: { method: 'POST', path: '/api/v1/drivers/on-duty' },
  input: v.strictObject({ on_duty: v.boolean() }),
  output: v.strictObject({ result: v.literal(true), on_duty: v.boolean(), changed: v.boolean() }),
  errors: ['contention'],
  handle: async (context, { on_duty }) => {
    const { id: driver_id, business } = accountOf(context)
    const fields = { driver_id, business_id: business.id, on_duty, at: isoOf(context.clock()) }
    const command = { type: 'ChangeDuty' as const, ...fields }
    const events = await execute(context.store, driverDuty, driverStream(driver_id), command, toNewEvent(context))
    return { result: true, on_duty, changed: events.length > 0 }
  },
})

/** A driver's place is kept once in so many milliseconds. */
const interval = 10_000

/** A driver says where it is; what comes sooner than 10 seconds after the last is not kept. */
export const tellDriverLocation = operation({
  name: 'tell_driver_location',
  summary: 'Say where you are, as a driver. One place in 10 seconds is kept; others are passed over.',
  scopes: ['drivers:write'],
  roles: ['driver'],
  risk: 'medium',
  tag: 'Driver',
  rest: { method: 'POST', path: '/api/v1/drivers/location' },
  input: v.strictObject({
    latitude: placeEntries.latitude.wrapped,
    longitude: placeEntries.longitude.wrapped,
    at: v.exactOptional(
      v.pipe(v.string(), v.maxLength(40), v.description('When it was measured: ISO 8601 with its offset.')),
    ),
  }),
  output: v.strictObject({ result: v.literal(true), recorded: v.boolean() }),
  errors: ['invalid_input', 'contention'],
  handle: async (context, { latitude, longitude, at }) => {
    requireInstant(at)
    const { id: driver_id, business } = accountOf(context)
    const now = context.clock()
    const stream = driverLocationStream(driver_id)
    return retryOnConflict(async () => {
      const [last] = await context.store.read(stream, { backwards: true, limit: 1 })
      const since = last === undefined ? interval : now - Date.parse((last.data as DriverLocated['data']).at)
      if (since < interval) return { result: true, recorded: false }
      const personal = { latitude, longitude, ...omitUndefined({ at }) }
      const fact: DriverLocated = {
        type: 'DriverLocated',
        data: { driver_id, business_id: business.id, at: isoOf(now), personal },
      }
      await context.store.append(stream, [toNewEvent(context)(fact)], last?.revision ?? 'no-stream')
      return { result: true, recorded: true }
    })
  },
})

function requireInstant(at: string | undefined): void {
  const code = at === undefined ? undefined : instantProblem(at)
  if (code === undefined) return
  throw new EngineError('invalid_input', { count: 1 }, [{ path: 'at', code, params: { field: 'at' } }])
}
