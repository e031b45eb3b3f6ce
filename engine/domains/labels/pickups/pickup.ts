import { loadOwn, type Named, ownId } from '../../../entity/access.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { CarrierFailure, CarrierPickup, CarrierRefusal, PickupRequest } from '../../../kernel/carrier.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Decider } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../../kernel/event.ts'
import type { ShapesOf } from '../../../kernel/event-shape.ts'
import type { ReadModel } from '../../../kernel/read-model.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { dayIn } from '../../../kernel/zone.ts'
import { dueCells } from '../label.ts'

interface Told {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly pickup_id: number
  readonly business_id: number
}

/** The carrier is to pick up labels. */
type PickupAsked = Event<
  'PickupAsked',
  Told &
    Pick<PickupRequest, 'key' | 'ready_at' | 'closes_at' | 'time_zone'> & {
      /** The acting account. */
      readonly by: number
      readonly carrier_account_id: number
      readonly carrier: string
      readonly order_ids: readonly number[]
      readonly personal?: Pick<PickupRequest, 'place' | 'instruction' | 'location'>
    }
>

/** The carrier refused; what it says may tell of people. */
type Refused = Told & { readonly refusal: CarrierRefusal['code']; readonly personal?: { readonly message: string } }

/** The events of a pickup, as those of labels. */
export type PickupEvent =
  | PickupAsked
  | Event<'PickupTried', Told & { readonly until: string }>
  | Event<'PickupUnclear', Told & { readonly failure: CarrierFailure; readonly next_at: string }>
  | Event<'PickupBooked', Told & { readonly pickup: CarrierPickup }>
  | Event<'PickupFailed', Refused>
  | Event<'PickupCancelAsked', Told & { readonly by: number }>
  | Event<'PickupCancelled', Told>
  | Event<'PickupCancelRefused', Refused>
  | Event<'PickupLabelLeft', Told & { readonly order_id: number }>
  | Event<'PickupLabelBack', Told & { readonly order_id: number }>
  | Event<'PickupForgotten', Told>

/** The states of a pickup. In a pending one, the carrier is yet to answer. */
export const pickupStatuses = [
  ...(['PICKUP_PENDING', 'PICKUP_BOOKED', 'PICKUP_FAILED'] as const),
  ...(['PICKUP_CANCEL_PENDING', 'PICKUP_CANCELLED'] as const),
] as const

/** The state of a pickup. */
type PickupStatus = (typeof pickupStatuses)[number]

/** The state after each event; absent if it stays. */
const statusAfter: Readonly<Record<PickupEvent['type'], PickupStatus | undefined>> = {
  PickupAsked: 'PICKUP_PENDING',
  PickupTried: undefined,
  PickupUnclear: undefined,
  PickupBooked: 'PICKUP_BOOKED',
  PickupFailed: 'PICKUP_FAILED',
  PickupCancelAsked: 'PICKUP_CANCEL_PENDING',
  PickupCancelled: 'PICKUP_CANCELLED',
  PickupCancelRefused: 'PICKUP_BOOKED',
  PickupLabelLeft: undefined,
  PickupLabelBack: undefined,
  PickupForgotten: undefined,
}

/** The shapes of the events of a pickup. */
export const pickupEventShapes: ShapesOf<PickupEvent> = {
  PickupAsked: {
    at: 'text',
    pickup_id: 'number',
    business_id: 'number',
    key: 'text',
    ready_at: 'text',
    closes_at: 'text',
    time_zone: 'text',
    by: 'number',
    carrier_account_id: 'number',
    carrier: 'text',
    order_ids: 'list',
  },
  PickupTried: { at: 'text', pickup_id: 'number', business_id: 'number', until: 'text' },
  PickupUnclear: { at: 'text', pickup_id: 'number', business_id: 'number', failure: 'text', next_at: 'text' },
  PickupBooked: { at: 'text', pickup_id: 'number', business_id: 'number', pickup: 'object' },
  PickupFailed: { at: 'text', pickup_id: 'number', business_id: 'number', refusal: 'text' },
  PickupCancelAsked: { at: 'text', pickup_id: 'number', business_id: 'number', by: 'number' },
  PickupCancelled: { at: 'text', pickup_id: 'number', business_id: 'number' },
  PickupCancelRefused: { at: 'text', pickup_id: 'number', business_id: 'number', refusal: 'text' },
  PickupLabelLeft: { at: 'text', pickup_id: 'number', business_id: 'number', order_id: 'number' },
  PickupLabelBack: { at: 'text', pickup_id: 'number', business_id: 'number', order_id: 'number' },
  PickupForgotten: { at: 'text', pickup_id: 'number', business_id: 'number' },
}

/** A pickup. */
export interface Pickup {
  readonly asked: PickupAsked['data']
  /** The labels that the driver comes for: those that were asked for, but for those that are voided. */
  readonly orderIds: readonly number[]
  readonly status: PickupStatus
  /** When the carrier is to be asked (ISO 8601, UTC); null if there is nothing to ask. */
  readonly dueAt: string | null
  /** How often the carrier was asked, and how often it was not known what it did, since something new was to be asked. */
  readonly tries: number
  readonly failures: number
  readonly booked?: CarrierPickup
  /** Why the carrier does not come, or the last time was not called off; the reason is missing after an erasure. */
  readonly refusal?: { readonly code: CarrierRefusal['code']; readonly message?: string } | undefined
  readonly isForgotten?: true
}

type Change<One extends PickupEvent> = One extends PickupEvent
  ? Omit<One['data'], 'pickup_id' | 'business_id'> & { readonly type: One['type'] }
  : never

/** The commands of a pickup: to ask for one, or to record what became of it. */
export type PickupCommand =
  | ({ readonly type: 'AskPickup' } & PickupAsked['data'])
  | Change<Exclude<PickupEvent, PickupAsked>>

function dueAfter(event: PickupEvent): string | null {
  if (event.type === 'PickupAsked' || event.type === 'PickupCancelAsked') return event.data.at
  if (event.type === 'PickupTried') return event.data.until
  return event.type === 'PickupUnclear' ? event.data.next_at : null
}

/** Whether an event changes which labels a pickup has, and nothing else. */
function isOfLabel(
  event: PickupEvent,
): event is Extract<PickupEvent, { readonly data: { readonly order_id: number } }> {
  return event.type === 'PickupLabelLeft' || event.type === 'PickupLabelBack'
}

function labelsAfter({ orderIds }: Pickup, type: 'PickupLabelLeft' | 'PickupLabelBack', order: number) {
  const others = orderIds.filter((one) => one !== order)
  return type === 'PickupLabelLeft' ? others : [...others, order]
}

function evolve(pickup: Pickup | undefined, event: PickupEvent): Pickup | undefined {
  const dueAt = dueAfter(event)
  if (event.type === 'PickupAsked')
    return {
      ...{ asked: event.data, orderIds: event.data.order_ids },
      ...{ status: 'PICKUP_PENDING', dueAt, tries: 0, failures: 0 },
    }
  if (pickup === undefined) return undefined
  if (isOfLabel(event)) return { ...pickup, orderIds: labelsAfter(pickup, event.type, event.data.order_id) }
  const next = { ...pickup, status: statusAfter[event.type] ?? pickup.status, dueAt }
  switch (event.type) {
    case 'PickupTried':
      return { ...next, tries: pickup.tries + 1 }
    case 'PickupUnclear':
      return { ...next, failures: pickup.failures + 1 }
    case 'PickupBooked':
      return { ...next, booked: event.data.pickup }
    case 'PickupFailed':
    case 'PickupCancelRefused':
      return { ...next, refusal: { code: event.data.refusal, ...event.data.personal } }
    case 'PickupCancelAsked':
      return { ...next, tries: 0, failures: 0, refusal: undefined }
    case 'PickupForgotten':
      return { ...next, isForgotten: true }
    default:
      return next
  }
}

/** The states from which each event may follow; from others it is nothing new, or refused. */
const from: Readonly<Record<Exclude<PickupEvent['type'], 'PickupAsked'>, readonly PickupStatus[]>> = {
  PickupTried: ['PICKUP_PENDING', 'PICKUP_CANCEL_PENDING'],
  PickupUnclear: ['PICKUP_PENDING', 'PICKUP_CANCEL_PENDING'],
  PickupBooked: ['PICKUP_PENDING'],
  PickupFailed: ['PICKUP_PENDING'],
  PickupCancelAsked: ['PICKUP_BOOKED'],
  PickupCancelled: ['PICKUP_CANCEL_PENDING'],
  PickupCancelRefused: ['PICKUP_CANCEL_PENDING'],
  // While the carrier is yet to answer, it is asked again for the same labels.
  PickupLabelLeft: ['PICKUP_BOOKED', 'PICKUP_CANCEL_PENDING'],
  PickupLabelBack: ['PICKUP_BOOKED', 'PICKUP_CANCEL_PENDING'],
  // A request that waits for its carrier needs the address.
  PickupForgotten: ['PICKUP_BOOKED', 'PICKUP_FAILED', 'PICKUP_CANCELLED'],
}

function decide(command: PickupCommand, pickup: Pickup | undefined): readonly PickupEvent[] {
  if (command.type === 'AskPickup') {
    const { type: _, ...data } = command
    return [{ type: 'PickupAsked', data }]
  }
  if (pickup === undefined) throw new EngineError('pickup_not_found', { pickup: 0 })
  const { pickup_id, business_id } = pickup.asked
  const { type, ...told } = command
  if (command.type === 'PickupLabelLeft') requireOthers(pickup, command.order_id)
  const isAgain =
    (type === 'PickupCancelAsked' && ['PICKUP_CANCEL_PENDING', 'PICKUP_CANCELLED'].includes(pickup.status)) ||
    (command.type === 'PickupLabelBack' && pickup.orderIds.includes(command.order_id))
  // Somebody else asks the carrier just now.
  const isBusy = type === 'PickupTried' && (pickup.dueAt ?? '') > told.at
  if (isAgain || isBusy) return []
  if (from[type].includes(pickup.status)) return [{ type, data: { ...told, pickup_id, business_id } } as PickupEvent]
  if (type === 'PickupCancelAsked' || type === 'PickupForgotten')
    throw new EngineError('pickup_status_forbids', { pickup: pickup_id, status: pickup.status })
  return []
}

/**
 * Refuses to take a label out of a pickup while its carrier is yet to answer, and if the driver comes for this label alone: such a
 * pickup is to be called off. If the carrier has refused to call it off, its last label may leave, too.
 */
function requireOthers({ asked, orderIds, status, refusal }: Pickup, label: number): void {
  const mayLeave = status !== 'PICKUP_PENDING' && (orderIds.some((one) => one !== label) || refusal !== undefined)
  if (!mayLeave) throw new EngineError('label_in_pickup', { label, pickup: asked.pickup_id, status })
}

/** Whether the driver may still come for a label: nobody has called the pickup off or refused it, and its day is not over. */
export function isComingFor({ asked, orderIds, status }: Pickup, label: number, now: number): boolean {
  const isOpen = status !== 'PICKUP_FAILED' && status !== 'PICKUP_CANCELLED'
  const isOver = dayIn(Date.parse(asked.closes_at), asked.time_zone) < dayIn(now, asked.time_zone)
  return isOpen && !isOver && orderIds.includes(label)
}

/** The decider of a pickup. What the carrier did is recorded once. */
export const pickups: Decider<Pickup | undefined, PickupCommand, PickupEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

/** The stream of a pickup. */
export function pickupStream(id: number): StreamName {
  return `pickup-${id}`
}

/** Pickups, as callers name them by an id. */
export const pickupKind: Named<Pickup> = {
  entity: {
    category: 'pickup',
    refusals: { missing: 'pickup_not_found', param: 'pickup' },
    access: { belongs: (context, { asked }) => accountOf(context).business.id === asked.business_id },
  },
  decider: pickups,
}

/** What the id of a pickup names. */
export const pickupId = ownId(pickupKind)

/** A pickup of the caller's business; refuses with `pickup_not_found`. */
export async function loadPickup(context: Context, id: number): Promise<Pickup> {
  return (await loadOwn(context, pickupKind, id)).state
}

/** The pickups of each business, and when their carriers are to be asked. */
export const pickupModel = {
  name: 'pickups',
  version: 1,
  category: 'pickup',
  columns: {
    pickup_id: 'integer',
    business_id: 'integer',
    carrier_account_id: 'integer',
    is_waiting: 'integer',
    due_at: 'text',
  },
  key: ['pickup_id'],
  indexes: [['is_waiting'], ['business_id'], ['carrier_account_id', 'is_waiting']],
  opens: () => false,
  rows: (recorded) => {
    const event = recorded as RecordedEvent<PickupEvent>
    if (!Object.hasOwn(statusAfter, event.type) || isOfLabel(event)) return []
    const { pickup_id, business_id } = event.data
    const account = event.type === 'PickupAsked' ? { carrier_account_id: event.data.carrier_account_id } : {}
    return [{ pickup_id, business_id, ...account, ...dueCells(dueAfter(event)) }]
  },
} as const satisfies ReadModel
