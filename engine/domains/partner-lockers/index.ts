import { businessCallerOf, requireNamedProvider } from '../../entity/access.ts'
import type { Domain } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { create, type Machine, type MoveResult, operationsOf } from '../../entity/operations.ts'
import { type Sending, webhookEventSourceOf, webhookEventTypesOf } from '../../entity/webhook-events.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { newShortCode, typedCode } from '../../kernel/short-code.ts'
import { dueLockerDeliveries, expireLockerDeliveries, expireLockerDelivery, lockerDeliveryModel } from './expiry.ts'
import { lockerDelivery } from './locker-delivery.ts'
import { lockerDeliveryMessages } from './messages.ts'
import { labelled } from './parts.ts'
import { lockerDeliveries } from './rules.ts'

export { dueLockerDeliveries, expireLockerDelivery } from './expiry.ts'
export type { LockerDeliveryCode } from './messages.ts'
export type { PartnerLockerPorts } from './ports.ts'

type Code = 'access' | 'pickup'

/** The stored form of a code: a keyed hash that depends on the delivery and on who uses the code. */
function hashOf({ credentials }: Pick<Context, 'credentials'>, delivery: unknown, kind: Code, code: unknown): string {
  return credentials.blind(`locker ${kind} code\0${delivery}\0${typedCode(code)}`)
}

/** The hash of a code in a request, under the name that the rules use. */
function hashCode(context: Context, delivery: unknown, kind: Code, code: unknown) {
  return code === undefined ? {} : { [`${kind}_code_hash`]: hashOf(context, delivery, kind, code) }
}

function newCode(context: Context, delivery: unknown, kind: Code) {
  const new_code = newShortCode(context)
  return { new_code, code_hash: hashOf(context, delivery, kind, new_code) }
}

/** Refuses with `wrong_locker_code` if a wrong code was recorded. */
function requireRightCode({ events, state }: MoveResult<typeof lockerDelivery>, code: Code): void {
  if (events.some(({ type }) => type === 'LockerCodeRefused'))
    throw new EngineError('wrong_locker_code', { delivery: state.delivery_id, code })
}

const withNewCode = ({ values }: MoveResult<typeof lockerDelivery>) => ({ new_code: values.new_code })

/** Locker deliveries, with the special rules of their moves. */
const machine: Machine<typeof lockerDelivery> = {
  entity: lockerDelivery,
  decider: lockerDeliveries,
  prepare: {
    create: async (context, { provider, access_code }) => {
      const { businessId } = businessCallerOf(context)
      const named = await requireNamedProvider(context, typeof provider === 'string' ? provider : undefined)
      return { business_id: businessId, provider: named, access_code }
    },
    open: async (context, { access_code, compartments }, { delivery_id }) => {
      const pickup_code = newShortCode(context)
      return {
        compartments: labelled(compartments as Parameters<typeof labelled>[0]),
        ...hashCode(context, delivery_id, 'access', access_code),
        ...{ pickup_code, pickup_code_hash: hashOf(context, delivery_id, 'pickup', pickup_code) },
      }
    },
    confirm: async (context, { confirmed_by = ownConfirmation(context) }) => {
      // Only accounts of the business may report what the platform saw. A partner reports for itself.
      if (confirmed_by !== 'partner_api') accountOf(context)
      return { confirmed_by }
    },
    collect: async (context, { pickup_code }, { delivery_id }) => ({
      ...hashCode(context, delivery_id, 'pickup', pickup_code),
      is_staff: businessCallerOf(context).provider === undefined,
    }),
    rotate_access: async (context, _, { delivery_id }) => newCode(context, delivery_id, 'access'),
    rotate_pickup: async (context, _, { delivery_id }) => newCode(context, delivery_id, 'pickup'),
  },
  create: (context, { access_code, ...values }) =>
    create(context, machine, values, (id) => hashCode(context, id, 'access', access_code)),
  answer: {
    open: (result) => {
      requireRightCode(result, 'access')
      return { pickup_code: result.state.pickup_code ?? null }
    },
    collect: (result) => {
      requireRightCode(result, 'pickup')
      return {}
    },
    rotate_access: withNewCode,
    rotate_pickup: withNewCode,
  },
}

function ownConfirmation(context: Context): 'partner_api' | 'console' {
  return businessCallerOf(context).provider === undefined ? 'console' : 'partner_api'
}

const sending: Sending = {
  channel: 'provider_locker',
  prefix: 'PLE',
  idMember: 'event_id',
  member: 'locker_delivery',
  audience: ({ business_id, provider }) => ({
    kind: 'provider',
    businessId: Number(business_id),
    provider: String(provider),
  }),
  isSandbox: ({ mock }) => mock === true,
  // The first opening also allocates the pickup code.
  example: ({ last_opened_at: opened_at, ...state }) =>
    opened_at === undefined ? state : { ...state, last_opened_at: opened_at, opened_at, pickup_code: '048213' },
}

/** Deliveries of partner carriers into the lockers of a business: doors, codes, and what became of the parcels. */
export const partnerLockersDomain: Domain = {
  name: 'partner-lockers',
  messages: [lockerDeliveryMessages],
  events: { locker_delivery: eventShapesOf(lockerDelivery) },
  tables: [lockerDelivery],
  deadlines: [{ name: 'locker delivery', due: dueLockerDeliveries, pass: expireLockerDelivery }],
  operations: [...operationsOf(machine, lockerDeliveryModel), expireLockerDeliveries],
  readModels: [lockerDeliveryModel],
  webhookEventTypes: webhookEventTypesOf(lockerDelivery, sending),
  webhookEventSources: [webhookEventSourceOf(machine, sending)],
}
