import * as v from 'valibot'
import { idFrom, ofBusinessAndProvider } from '../../entity/access.ts'
import { type Entity, type Fields, nobody } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'
import { id, instant, providerName, word } from '../../kernel/schemas.ts'
import { content, note, shown, utcOf } from './content.ts'
import { moves, statuses } from './moves.ts'
import { amendment, line, rejectionReasons, update } from './parts.ts'

const status = v.picklist(Object.keys(statuses) as [keyof typeof statuses, ...(keyof typeof statuses)[]])

/** Why a partner takes an order back. */
const cancellationReasons = ['sender_request', 'duplicate', 'given_elsewhere', 'other'] as const

/** The webhook events that say why. */
const withReason = ['handoff.rejected', 'handoff.cancelled'] as const

type Amended = Readonly<Record<string, unknown>> & {
  readonly amendments: readonly { readonly amendment_id: number; readonly [name: string]: unknown }[]
}

/** A part of the order, which the partner offers and accepted amendments change. */
const offered = (name: keyof typeof content) => ({
  of: ({ amendment_id }: { amendment_id: number }, before: Amended) =>
    before.amendments.find((one) => one.amendment_id === amendment_id)?.[name] ?? before[name],
})

const order = idFrom('order', 'order_not_found', (context, id) => context.ports.handoffs.orderExists(context, id))

const fields = {
  handoff_id: {
    ...shown,
    about: 'Id of the handoff.',
    type: id,
    example: 7,
    set: { propose: 'engine' },
    listed: 'column',
    webhooks: 'all',
  },
  partner_reference: {
    ...shown,
    about: 'Reference of the partner for the order; it is used once.',
    type: word(100),
    example: 'PO-4711',
    set: { propose: 'required' },
    webhooks: 'all',
  },
  status: {
    ...shown,
    about: 'Status of the handoff.',
    type: status,
    example: 'accepted',
    set: { track: { of: ({ is_last }: { is_last: boolean }) => (is_last ? 'completed' : undefined) } },
    listed: 'filter',
    webhooks: 'all',
  },
  order_id: {
    ...shown,
    about: 'Id of the order that the business created for it.',
    type: id,
    example: 42,
    set: { accept: 'optional' },
    names: order,
    webhooks: 'all',
  },
  expires_at: {
    ...shown,
    about: 'Until when the business can decide: RFC 3339 with an offset.',
    type: instant,
    input: { type: instant, stored: utcOf },
    example: '2026-06-10T12:00:00.000Z',
    set: { propose: 'required' },
    listed: 'key',
    webhooks: 'all',
  },
  business_id: {
    ...shown,
    about: 'Id of the business that is to carry the order.',
    type: id,
    example: 1,
    set: { propose: 'engine', '*': 'repeated' },
    listed: 'key',
    shownTo: nobody,
  },
  provider: {
    ...shown,
    about: 'Name of the provider account of the partner.',
    type: providerName,
    example: 'acme',
    set: { propose: 'engine', '*': 'repeated' },
    listed: 'key',
  },
  proposed_at: {
    ...shown,
    about: 'When the partner offered the order.',
    type: instant,
    example: '2026-06-10T10:00:00.000Z',
    set: { propose: 'now' },
  },
  reason: {
    ...shown,
    about: 'Why the handoff was rejected or cancelled.',
    type: v.picklist([...new Set([...rejectionReasons, ...cancellationReasons])]),
    example: 'other',
    set: { reject: { required: v.picklist(rejectionReasons) }, cancel: { required: v.picklist(cancellationReasons) } },
    webhooks: withReason,
  },
  note: { ...note, set: { reject: 'optional', cancel: 'optional' }, webhooks: withReason },
  pickup: {
    ...content.pickup,
    set: { propose: 'optional', accept_amendment: offered('pickup') },
    shownAs: 'order.pickup',
    inputAs: 'order.pickup',
  },
  delivery: {
    ...content.delivery,
    set: { propose: 'required', accept_amendment: offered('delivery') },
    shownAs: 'order.delivery',
    inputAs: 'order.delivery',
  },
  items: {
    ...content.items,
    set: { propose: 'required', accept_amendment: offered('items') },
    shownAs: 'order.items',
    inputAs: 'order.items',
  },
  instructions: {
    ...content.instructions,
    set: { propose: 'optional', accept_amendment: offered('instructions') },
    shownAs: 'order.instructions',
    inputAs: 'order.instructions',
  },
  window: {
    ...content.window,
    set: { propose: 'optional', accept_amendment: offered('window') },
    shownAs: 'order.window',
    inputAs: 'order.window',
  },
} as const satisfies Fields<keyof typeof moves>

/** Where staff and partners find the operations, and what both see there. */
const both = { tag: 'Order Handoff', one: 'handoff', many: 'handoffs' } as const

/** An order that a partner hands over to the business by the order handoff protocol. */
export const handoff = {
  category: 'handoff',
  noun: 'handoff',
  id: 'handoff_id',
  statuses,
  moves,
  fields,
  parts: { amendments: amendment, tracking: update, settlement_lines: line },
  missing: 'null',
  groups: { order: 'The order with all accepted amendments; people are missing once they were erased.' },
  access: ofBusinessAndProvider,
  listVersion: 2,
  refusals: { missing: 'handoff_not_found', forbidden: 'handoff_status_forbids', param: 'handoff' },
  indexes: [
    ['business_id', 'status'],
    ['business_id', 'provider'],
    ['status', 'expires_at'],
  ],
  api: {
    ...both,
    path: '/api/v1/handoffs',
    read: { scope: 'orders:read', by: staff },
    write: { scope: 'orders:write' },
    list: {
      operation: 'list_handoffs',
      summary: 'The orders that partners hand over to the business, newest first.',
      shows: 'records',
    },
    get: {
      operation: 'get_handoff',
      summary: 'One order that a partner hands over, with its amendments, its tracking and its settlement.',
    },
  },
  providerApi: {
    ...both,
    path: '/api/v1/ohp/handoffs',
    read: { scope: 'ohp:write', by: ['provider'] },
    write: { scope: 'ohp:write' },
    list: {
      operation: 'list_own_handoffs',
      summary: 'For the handoff token of a partner: the orders that it has handed over, newest first.',
      shows: 'records',
    },
    get: {
      operation: 'get_own_handoff',
      summary: 'For the handoff token of a partner: one order that it has handed over, and its progress.',
    },
  },
} as const satisfies Entity
