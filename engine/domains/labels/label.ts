import { loadOwn, type Named, ownId } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { CarrierLabel, CarrierRefusal } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { dueAfter, type LabelAsked, type LabelEvent, type LabelStatus, labelStatuses, statusAfter } from './events.ts'

/** A label. */
export interface Label {
  /** How it is, or was last, to be bought. */
  readonly asked: LabelAsked['data']
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly status: LabelStatus
  /** When the carrier is to be asked (ISO 8601, UTC); null if there is nothing to ask. */
  readonly dueAt: string | null
  /** How often it was not known what the carrier did, since it was last asked for something new. */
  readonly failures: number
  readonly bought?: CarrierLabel & { readonly at: string }
  /** Why the carrier did not sell it, or the last time did not take it back; the reason is missing after an erasure. */
  readonly refusal?: { readonly code: CarrierRefusal['code']; readonly message?: string } | undefined
  readonly manifest?: { readonly id: number; readonly reference?: string } | undefined
  /** The pickup that it was last asked for with. */
  readonly pickup?: number
  /** Whether its personal data is erased. */
  readonly isForgotten?: true
}

type Change<Event extends LabelEvent> = Event extends LabelEvent
  ? Omit<Event['data'], 'order_id' | 'business_id'> & { readonly type: Event['type'] }
  : never

/** The commands of a label: to ask for one, or to record what became of it. */
export type LabelCommand =
  | ({ readonly type: 'AskLabel' } & LabelAsked['data'])
  | Change<Exclude<LabelEvent, LabelAsked>>

const evolve: Reducer<Label | undefined, LabelEvent> = (label, event) => {
  if (event.type === 'LabelAsked')
    return {
      ...{ asked: event.data, status: 'LABEL_PENDING', dueAt: dueAfter(event), failures: 0 },
      createdAt: label?.createdAt ?? event.data.at,
    }
  if (label === undefined) return undefined
  const dueAt = event.type === 'LabelForgotten' ? label.dueAt : dueAfter(event)
  const next = { ...label, status: statusAfter[event.type] ?? label.status, dueAt }
  switch (event.type) {
    case 'LabelTried':
      return next
    case 'LabelUnclear':
      return { ...next, failures: label.failures + 1 }
    case 'LabelBought':
      return { ...next, failures: 0, bought: { ...event.data.label, ...event.data.personal, at: event.data.at } }
    case 'LabelPurchaseFailed':
    case 'LabelVoidRefused':
      return { ...next, failures: 0, refusal: { code: event.data.refusal, ...event.data.personal } }
    case 'LabelVoidAsked':
      return { ...next, failures: 0, refusal: undefined }
    case 'LabelManifestAsked':
      return { ...next, manifest: { id: event.data.manifest_id } }
    case 'LabelSubmitted':
      return { ...next, manifest: { id: event.data.manifest_id, reference: event.data.manifest_reference } }
    case 'LabelManifestRefused':
      return { ...next, manifest: undefined }
    case 'LabelPickupAsked':
      return { ...next, pickup: event.data.pickup_id }
    case 'LabelForgotten':
      return { ...next, isForgotten: true }
    default:
      return next
  }
}

/** The states from which each event may follow; from others it is nothing new, or refused. */
const from: Readonly<Record<Exclude<LabelEvent['type'], 'LabelAsked'>, readonly LabelStatus[]>> = {
  LabelTried: ['LABEL_PENDING', 'LABEL_VOID_PENDING'],
  LabelUnclear: ['LABEL_PENDING', 'LABEL_VOID_PENDING'],
  LabelBought: ['LABEL_PENDING'],
  LabelPurchaseFailed: ['LABEL_PENDING'],
  LabelVoidAsked: ['LABEL_PURCHASED'],
  LabelVoided: ['LABEL_VOID_PENDING'],
  LabelVoidRefused: ['LABEL_VOID_PENDING'],
  LabelManifestAsked: ['LABEL_PURCHASED'],
  LabelSubmitted: ['LABEL_SUBMIT_PENDING'],
  LabelManifestRefused: ['LABEL_SUBMIT_PENDING'],
  LabelPickupAsked: ['LABEL_PURCHASED', 'LABEL_SUBMITTED'],
  // A purchase that waits for its carrier needs the addresses.
  LabelForgotten: labelStatuses.filter((status) => status !== 'LABEL_PENDING'),
}

function decide(command: LabelCommand, label: Label | undefined): readonly LabelEvent[] {
  if (command.type === 'AskLabel') {
    if (label !== undefined && label.status !== 'LABEL_PURCHASE_FAILED')
      throw new EngineError('label_status_forbids', { label: command.order_id, status: label.status })
    const { type: _, ...data } = command
    return [{ type: 'LabelAsked', data }]
  }
  if (label === undefined) throw new EngineError('label_not_found', { label: 0 })
  const { order_id, business_id } = label.asked
  const { type, ...told } = command
  if (type === 'LabelVoidAsked' && ['LABEL_VOID_PENDING', 'LABEL_VOIDED'].includes(label.status)) return []
  if (from[type].includes(label.status))
    // Somebody else asks the carrier just now.
    return type === 'LabelTried' && (label.dueAt ?? '') > told.at
      ? []
      : [{ type, data: { ...told, order_id, business_id } } as LabelEvent]
  if (wishes.includes(type)) throw new EngineError('label_status_forbids', { label: order_id, status: label.status })
  return []
}

/** Commands of people, who get a refusal if one is not possible; what a carrier reports again is nothing new. */
const wishes: readonly LabelCommand['type'][] = [
  ...(['LabelVoidAsked', 'LabelManifestAsked', 'LabelPickupAsked', 'LabelForgotten'] as const),
]

/** The decider of a label. What a carrier did is recorded once, no matter who hears of it, and how often. */
export const labels: Decider<Label | undefined, LabelCommand, LabelEvent> = { initial: () => undefined, evolve, decide }

/** The stream of a label. */
export function labelStream(id: number): StreamName {
  return `label-${id}`
}

/** Labels, as callers name them by an id. */
export const labelKind: Named<Label> = {
  entity: {
    category: 'label',
    refusals: { missing: 'label_not_found', param: 'label' },
    access: { belongs: (context, { asked }) => accountOf(context).business.id === asked.business_id },
  },
  decider: labels,
}

/** What the id of a label names. */
export const labelId = ownId(labelKind)

/** A label of the caller's business, and its revision; refuses with `label_not_found`. */
export function loadLabel(context: Context, id: number) {
  return loadOwn(context, labelKind, id)
}

/** The cells that say whether a carrier is to be asked, and when. */
export function dueCells(due_at: string | null) {
  return { is_waiting: due_at === null ? 0 : 1, due_at }
}

/** The labels of each business, and when their carriers are to be asked. */
export const labelModel = {
  name: 'labels',
  version: 1,
  category: 'label',
  columns: {
    order_id: 'integer',
    business_id: 'integer',
    carrier_account_id: 'integer',
    status: 'text',
    is_waiting: 'integer',
    due_at: 'text',
  },
  key: ['order_id'],
  indexes: [['is_waiting'], ['business_id', 'status'], ['carrier_account_id', 'is_waiting']],
  opens: () => false,
  rows: (recorded) => {
    const event = recorded as RecordedEvent<LabelEvent>
    if (!Object.hasOwn(statusAfter, event.type)) return []
    const { order_id, business_id } = event.data
    const account = event.type === 'LabelAsked' ? { carrier_account_id: event.data.carrier_account_id } : {}
    const status = statusAfter[event.type]
    const due = event.type === 'LabelForgotten' ? {} : dueCells(dueAfter(event))
    return [{ order_id, business_id, ...account, ...(status && { status }), ...due }]
  },
} as const satisfies ReadModel

/** The labels by their tracking numbers. Carriers of different businesses may give the same number. */
export const labelNumberModel = {
  name: 'label_numbers',
  version: 1,
  category: 'label',
  columns: { business_id: 'integer', tracking_number: 'text', order_id: 'integer' },
  key: ['business_id', 'tracking_number'],
  indexes: [],
  opens: () => false,
  rows: (recorded) => {
    const event = recorded as RecordedEvent<LabelEvent>
    if (event.type !== 'LabelBought') return []
    const { order_id, business_id, label } = event.data
    return label.tracking_numbers.map((tracking_number) => ({ business_id, tracking_number, order_id }))
  },
} as const satisfies ReadModel
