import * as v from 'valibot'
import { everybody, type Fields, type Moves, nobody, type Table, type View } from '../../entity/field.ts'
import { cellsOf, columnsOf } from '../../entity/list.ts'
import { type RecordedOf, recorded } from '../../entity/recorded.ts'
import type { Decider } from '../../kernel/decider.ts'
import type { Event } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { id, instant } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { zonedIso } from '../../kernel/zone.ts'

/** The decisions that hold for most fields: neither personal nor a price, set by the engine, and shown to everybody who sees the driver. */
const shown = {
  personal: false,
  price: 'none',
  setBy: nobody,
  carried: false,
  shownTo: everybody,
  listed: 'column',
  webhooks: 'none',
} as const

/** A member that `list.ts` adds to answers. */
const added = { ...shown, set: {}, listed: 'no' } as const

const count = v.number()

const moves = {
  change: {
    from: 'nothing',
    event: 'DriverDutyChanged',
    call: {
      operation: 'set_driver_duty',
      verb: 'on-duty',
      by: ['driver'],
      summary: 'Go on or off duty, as a driver.',
    },
    webhook: { event: 'driver.on_duty_changed', summary: 'A driver went on or off duty in the app.' },
  },
} as const satisfies Moves<never>

const fields = {
  driver_id: {
    ...shown,
    about: 'User id of the driver.',
    type: id,
    example: 12,
    set: { change: 'engine' },
    shownAs: 'id',
    webhooks: 'all',
    webhookAs: { name: 'driver_id', type: id, of: ({ driver_id }: { driver_id: number }) => driver_id, always: true },
  },
  business_id: {
    ...shown,
    about: 'Id of the business that the driver works for.',
    type: id,
    example: 1,
    set: { change: 'engine' },
    shownTo: nobody,
  },
  /** Accounts have it. */
  name: {
    ...added,
    about: 'Name of the driver.',
    type: v.string(),
    example: 'Dee Driver',
    personal: true,
  },
  on_duty: {
    ...shown,
    about: 'Whether the driver is on duty. A driver who never said so is not.',
    type: v.boolean(),
    example: true,
    set: { change: 'required' },
    setBy: ['driver'],
    webhooks: 'all',
  },
  duty_changed_at: {
    ...shown,
    about: 'When the driver last went on or off duty, in the time zone of the business; missing before that.',
    type: instant,
    example: '2026-06-10T12:00:00-04:00',
    set: { change: { of: ({ at }: { at: string }) => at } },
    of: ({ duty_changed_at: at }: { duty_changed_at?: string }, { timeZone }: View) =>
      at === undefined ? undefined : zonedIso(Date.parse(at), timeZone),
  },
  /** Orders say which driver has them. */
  today: {
    ...added,
    about: 'Orders of this driver that are scheduled for today.',
    type: v.strictObject({
      orders: count,
      open: count,
      delivered: count,
      failed: v.pipe(count, v.description('Attempts that have failed, and what went back to its sender.')),
    }),
    example: { orders: 3, open: 1, delivered: 1, failed: 1 },
    always: true,
  },
} as const satisfies Fields<keyof typeof moves>

/** Whether a driver is on duty. */
export const duty = {
  category: 'driver',
  noun: 'driver duty',
  id: 'driver_id',
  statuses: {},
  moves,
  fields,
  missing: 'left out',
} as const satisfies Table

/** A driver went on or off duty, at a time (ISO 8601, UTC). */
export type DriverDutyChanged = Event<'DriverDutyChanged', { readonly at: string } & RecordedOf<typeof duty, 'change'>>

/** Changes a driver's duty. */
type ChangeDuty = DriverDutyChanged['data']

/** The decider of a driver's duty. A driver is off duty at first. Setting the same duty again records nothing. */
export const driverDuty: Decider<boolean, ChangeDuty, DriverDutyChanged> = {
  initial: () => false,
  evolve: (_, { data }) => data.on_duty,
  decide: ({ at, ...values }, isOnDuty) =>
    values.on_duty === isOnDuty
      ? []
      : [{ type: moves.change.event, data: { at, ...recorded(duty, 'change', values) } }],
}

/** The stream of a driver's duty. */
export function driverStream(id: number): StreamName {
  return `driver-${id}`
}

const cellsIn = cellsOf(duty)

/** One row for each driver who has ever set a duty: whether the driver is on duty, and since when. */
export const dutyModel: ReadModel = {
  name: 'driver_duty',
  version: 2,
  category: duty.category,
  columns: columnsOf(duty),
  key: ['driver_id'],
  indexes: [['business_id', 'on_duty']],
  rows: (event) => [cellsIn(event)].filter((row) => row !== undefined),
}
