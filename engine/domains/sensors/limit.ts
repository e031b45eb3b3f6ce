import * as v from 'valibot'
import { businessCallerOf, idFrom } from '../../entity/access.ts'
import { type Entity, type Fields, nobody } from '../../entity/field.ts'
import { ownedByCells, readModelOf } from '../../entity/list.ts'
import { deciderOf } from '../../entity/machine.ts'
import type { Machine } from '../../entity/operations.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { id, identifier, word } from '../../kernel/schemas.ts'
import { sensorTypes } from '../../kernel/sensor-kinds.ts'

/** The decisions that hold for most fields. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'column',
  webhooks: 'none',
  setBy: staff,
  shownTo: staff,
} as const

const bound = v.pipe(v.string(), v.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'not_a_bound' satisfies Code))

const orderOfBusiness = idFrom('order', 'order_not_found', (context, order) =>
  context.ports.sensors.isOrderOf(context, accountOf(context).business.id, order),
)

const statuses = {
  active: 'Readings are compared with it.',
  ended: 'It is not used any more. What it has found stays.',
} as const

/** The longest time that a limit tolerates: a week. */
const longest = 7 * 86_400

const fields = {
  limit_id: { ...shown, about: 'Id of the limit.', type: id, example: 3, set: { set: 'engine' } },
  business_id: {
    ...shown,
    about: 'Id of the business that has set it.',
    type: id,
    example: 1,
    set: { set: 'engine' },
    listed: 'key',
    setBy: nobody,
    shownTo: nobody,
  },
  status: {
    ...shown,
    about: 'Status of the limit.',
    type: v.picklist(Object.keys(statuses)),
    example: 'active',
    set: {},
    listed: 'filter',
  },
  type: {
    ...shown,
    about: 'What is measured.',
    type: v.picklist(sensorTypes.filter((type) => type !== 'location')),
    example: 'temperature',
    set: { set: 'required' },
    listed: 'filter',
  },
  minimum: {
    ...shown,
    about: 'The lowest value that is allowed, as decimal text in the unit that answers have.',
    type: bound,
    example: '2',
    set: { set: 'optional' },
  },
  maximum: {
    ...shown,
    about:
      'The highest value that is allowed, as decimal text in the unit that answers have. A door that is open has the value 1.',
    type: bound,
    example: '8',
    set: { set: 'optional' },
  },
  tolerated_seconds: {
    ...shown,
    about: 'For how long values may be outside before that is a breach; 0 where absent.',
    type: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(longest)),
    example: 600,
    set: { set: 'optional' },
  },
  order_id: {
    ...shown,
    about: 'The order whose parcel it is for.',
    type: id,
    example: 42,
    set: { set: 'optional' },
    names: orderOfBusiness,
    listed: 'filter',
  },
  tracking_number: {
    ...shown,
    about: 'The tracking number of the parcel that it is for.',
    type: identifier(100),
    example: 'SR1',
    set: { set: 'optional' },
    listed: 'filter',
  },
  service: {
    ...shown,
    about: 'The service of the price list whose orders it is for.',
    type: word(40),
    example: 'chilled',
    set: { set: 'optional' },
    listed: 'filter',
  },
} as const satisfies Fields<'set' | 'end'>

/** A limit for what sensors of parcels measure. */
export const sensorLimit = {
  category: 'sensor_limit',
  noun: 'sensor limit',
  id: 'limit_id',
  statuses,
  moves: {
    set: {
      from: 'nothing',
      to: 'active',
      event: 'SensorLimitSet',
      call: {
        operation: 'set_sensor_limit',
        summary:
          'Set between which values something has to stay, for the parcel of an order, a tracking number or all orders of a service.',
        by: staff,
        errors: ['too_many_limits'],
      },
    },
    end: {
      from: ['active'],
      to: 'ended',
      ignoredIn: ['ended'],
      event: 'SensorLimitEnded',
      call: {
        operation: 'end_sensor_limit',
        verb: 'end',
        summary: 'End a limit. What it has found stays in the timelines.',
        by: staff,
      },
    },
  },
  fields,
  missing: 'left out',
  access: ownedByCells((context) => ({ business_id: businessCallerOf(context).businessId })),
  listVersion: 1,
  refusals: { missing: 'sensor_limit_not_found', forbidden: 'sensor_limit_status_forbids', param: 'limit' },
  indexes: [['business_id', 'status']],
  api: {
    tag: 'Sensors',
    path: '/api/v1/sensor-limits',
    one: 'sensor_limit',
    many: 'sensor_limits',
    read: { scope: 'orders:read', by: staff },
    write: { scope: 'orders:write' },
    list: {
      operation: 'list_sensor_limits',
      summary: 'The limits that the business has set for sensors, newest first.',
    },
    get: { operation: 'get_sensor_limit', summary: 'One limit for sensors: what it is for, and its bounds.' },
  },
} as const satisfies Entity

/** The read model of limits. */
export const limitModel = readModelOf(sensorLimit)

/** The most limits of a business that are active at once. */
export const maxLimits = 200

const targets = ['order_id', 'tracking_number', 'service'] as const

/** Limits, with the special rules of their moves. */
export const sensorLimits: Machine<typeof sensorLimit> = {
  entity: sensorLimit,
  decider: deciderOf(sensorLimit),
  prepare: {
    set: async (context, input) => {
      const business_id = businessCallerOf(context).businessId
      const named = targets.filter((name) => input[name] !== undefined)
      if (named.length !== 1)
        throw refused(named[1] ?? 'order_id', 'one_target_of_limit', { expected: targets.join(', ') })
      const { minimum, maximum } = input
      if (minimum === undefined && maximum === undefined) throw refused('minimum', 'bound_required')
      if (minimum !== undefined && maximum !== undefined && Number(minimum) > Number(maximum))
        throw refused('maximum', 'bounds_reversed')
      const where = { business_id, status: 'active' }
      const { total } = await context.models.page(limitModel, { where, limit: 0 })
      if (total >= maxLimits) throw new EngineError('too_many_limits', { limit: maxLimits })
      return { business_id }
    },
  },
}

function refused(path: string, code: Code, params = {}): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path, code, params }])
}
