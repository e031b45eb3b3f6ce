import * as v from 'valibot'
import { viewOf } from '../../entity/access.ts'
import { changesBetween, changesSchemaOf } from '../../entity/audit.ts'
import type { Values } from '../../entity/field.ts'
import { meansOf } from '../../kernel/audit.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import type { FamilyEvent } from '../../kernel/order-family.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { zonedIso } from '../../kernel/zone.ts'
import type { OrderEvent } from './events.ts'
import { anyOrderIds } from './families.ts'
import { findLoaded, loadOrder, ofFamily } from './load.ts'
import { orderTable } from './order.ts'
import { isStaff, statusFor } from './record.ts'
import type { Circumstances } from './schema.ts'
import { orderEntries } from './schema.ts'
import { evolve, type OrderState } from './state.ts'
import { type Status, statuses } from './status.ts'
import { orderStream } from './streams.ts'

const text = v.exactOptional(v.string())
const number = v.exactOptional(v.number())
const status = v.exactOptional(v.picklist(Object.keys(statuses) as [Status, ...Status[]]))

/** What other members of an operation event say, or what changes with every event. */
const unaudited = ['id', 'order_id', 'status', 'order_status_id', 'created_at', 'updated_at']

const operationEvent = named(
  'OperationEvent',
  v.strictObject({
    event_id: v.string(),
    type: v.pipe(v.string(), v.description('What happened, as OrderPickedUp.')),
    at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    actor: v.strictObject({
      account_id: v.pipe(
        v.nullable(v.number()),
        v.description('null for the platform and for carriers, and for a customer where it was not the customer.'),
      ),
      role: v.nullable(v.string()),
      api_key_id: v.exactOptional(v.pipe(v.number(), v.description('The API key that the account used.'))),
      grant_id: v.exactOptional(
        v.pipe(v.number(), v.description('The grant by which a program acted for the account.')),
      ),
      proposal_id: v.exactOptional(
        v.pipe(v.number(), v.description('The proposal of the account, if it was approved.')),
      ),
      approved_by: v.exactOptional(v.pipe(v.number(), v.description('The account that approved it.'))),
    }),
    from: status,
    to: status,
    driver_id: number,
    previous_driver_id: number,
    reason: text,
    route_id: number,
    reported_by: v.exactOptional(v.pipe(v.string(), v.description('The carrier whose report moved it.'))),
    location: v.exactOptional(v.strictObject({ latitude: number, longitude: number })),
    photo_urls: v.exactOptional(v.array(v.string())),
    signature_url: text,
    recipient: text,
    note: text,
    changes: v.exactOptional(
      v.pipe(
        changesSchemaOf(orderTable, unaudited),
        v.description('The members of the order that the event changed, with their values before and after it.'),
      ),
    ),
  }),
)

type OperationEvent = v.InferOutput<typeof operationEvent>

/** Events that customers do not see, because they concern the inside of the business. */
const staffOnly: readonly OrderEvent['type'][] = [
  ...(['OrderNoteChanged', 'OrderPlanned', 'OrderTakenOffRoute', 'OrderReportedOn'] as const),
  ...(['OrderContradicted', 'OrderContradictionEnded'] as const),
  ...(['ContractorAssigned', 'ContractorRevoked', 'ContractorReleased'] as const),
  ...(['OrderPooled', 'OrderOfferRefused', 'OrderUnpooled'] as const),
]

/** Event types that customers see as others: they must not reveal who carries the shipment. */
const shownToCustomersAs: Readonly<Partial<Record<OrderEvent['type'], OrderEvent['type']>>> = {
  OrderHandedToCarrier: 'OrderOnTheWay',
  OrderTakenBack: 'OrderReleased',
  OrderDeliveredByCarrier: 'OrderCompleted',
}

/** What proves that an order was delivered. */
const proving: readonly OrderEvent['type'][] = ['OrderCompleted', 'OrderDeliveredByCarrier']

/** Everything that happened to an order. */
export const getOperationEvents = operation({
  name: 'get_operation_events',
  summary: 'What happened to an order: each change, who did it, when, where, and what photographs show it.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: { title: 'Operation events' },
  rest: { method: 'GET', path: '/api/v1/orders/{order_id}/operation-events' },
  ids: anyOrderIds,
  input: v.strictObject({ ...orderEntries, ...pageEntries }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, events: v.array(operationEvent) }),
  errors: ['order_not_found'],
  handle: async (context, { order_id, ...pageInput }) => {
    const { range, paging } = pageOf(pageInput)
    const isLocal = (await findLoaded(context, order_id)) !== undefined
    const other = isLocal ? undefined : await ofFamily(context, order_id)
    if (other !== undefined) {
      const all = await other.family.events(context, order_id)
      const page = all.slice(range.offset, range.offset + range.limit)
      return { result: true, total: all.length, ...paging, events: await familyEventsOf(context, page) }
    }
    await loadOrder(context, order_id)
    const history = (await context.store.read(orderStream(order_id))) as readonly RecordedEvent<OrderEvent>[]
    const visible = history.filter(({ type }) => isStaff(context) || !staffOnly.includes(type))
    const page = visible.slice(range.offset, range.offset + range.limit)
    const roles = await rolesOf(
      context,
      page.map(({ data }) => data),
    )
    const changes = changesOf(context, history, new Set(page.map(({ id }) => id)))
    const events = page.map((event) => ({
      ...operationEventOf(context, event, roles),
      ...omitUndefined({ changes: changes.get(event.id) }),
    }))
    return { result: true, total: visible.length, ...paging, events }
  },
})

/** What happened to an order of another family, which the staff alone sees. */
async function familyEventsOf(context: Context, events: readonly FamilyEvent[]): Promise<readonly OperationEvent[]> {
  const roles = await rolesOf(context, events)
  const { timeZone } = accountOf(context).business
  return events.map(({ event_id, type, at, by, reported_by }) => ({
    ...{ event_id, type, at: zonedIso(Date.parse(at), timeZone) },
    actor: { account_id: by, role: by === null ? null : (roles.get(by) ?? null) },
    ...omitUndefined({ reported_by }),
  }))
}

/**
 * The changes that the events with these ids made to the order, as the caller sees them. Events without changes are
 * left out.
 */
function changesOf(
  context: Context,
  history: readonly RecordedEvent<OrderEvent>[],
  ids: ReadonlySet<string>,
): ReadonlyMap<string, Values> {
  const found = new Map<string, Values>()
  let before: OrderState
  for (const event of history) {
    const after = evolve(before, event)
    const changes = ids.has(event.id) ? changesBetween(orderTable, before, after, viewOf(context), unaudited) : {}
    if (Object.keys(changes).length > 0) found.set(event.id, changes)
    before = after
  }
  return found
}

/** The kinds of the accounts that did something. */
async function rolesOf(
  context: Context,
  acts: readonly { readonly by: number | null }[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(acts.flatMap(({ by }) => by ?? []))
  const people = await Promise.all([...ids].map((id) => context.directory.person(context, id)))
  return new Map(people.flatMap((person) => (person === undefined ? [] : [[person.id, person.role] as const])))
}

function operationEventOf(
  context: Context,
  event: RecordedEvent<OrderEvent>,
  roles: ReadonlyMap<number, string>,
): OperationEvent {
  const { at, by } = event.data
  const { timeZone } = accountOf(context).business
  return {
    event_id: event.id,
    type: accountOf(context).role === 'customer' ? (shownToCustomersAs[event.type] ?? event.type) : event.type,
    at: zonedIso(Date.parse(at), timeZone),
    actor: isVisibleActor(context, by)
      ? { account_id: by, role: roles.get(by) ?? null, ...meansIn(context, event) }
      : { account_id: null, role: null },
    ...particularsOf(context, event),
  }
}

/**
 * Whether the caller may see who did something. Customers see themselves only: other actors would reveal who carries
 * the shipment.
 */
function isVisibleActor(context: Context, by: number | null): by is number {
  const { id, role } = accountOf(context)
  return by !== null && (role !== 'customer' || by === id)
}

/** By which means it was done. Who approved it concerns the inside of the business. */
function meansIn(context: Context, { metadata }: RecordedEvent<OrderEvent>): Partial<OperationEvent['actor']> {
  const { key, grant, approval } = meansOf(metadata.actor)
  const approved = isStaff(context) && approval && { proposal_id: approval.proposal, approved_by: approval.by }
  return { ...omitUndefined({ api_key_id: key, grant_id: grant }), ...(approved || {}) }
}

/** The members of an event besides its time and its actor. */
function particularsOf(context: Context, event: OrderEvent): Partial<OperationEvent> {
  const { data } = event
  const move = 'from' in data && typeof data.from === 'string' ? data : undefined
  return {
    ...(event.type === 'OrderCreated' ? { to: event.data.to } : {}),
    ...(move === undefined ? {} : { from: statusFor(context, move.from), to: statusFor(context, move.to) }),
    ...omitUndefined({ reason: 'reason' in data ? data.reason : undefined }),
    ...(accountOf(context).role === 'customer' ? {} : carriageIn(context, data)),
    ...circumstancesIn(move?.personal && visibleCircumstances(context, event.type, move.personal)),
  }
}

function carriageIn(context: Context, data: OrderEvent['data']): Partial<OperationEvent> {
  return omitUndefined({
    driver_id: 'driver_id' in data ? data.driver_id : undefined,
    previous_driver_id: 'previous_driver_id' in data ? data.previous_driver_id : undefined,
    route_id: 'route_id' in data ? data.route_id : undefined,
    reported_by: isStaff(context) ? reporterIn(data) : undefined,
  })
}

function reporterIn(data: OrderEvent['data']): string | undefined {
  if ('reported_by' in data) return data.reported_by
  return 'reported' in data ? data.reported?.provider : undefined
}

/** Drivers' notes are for the staff. A customer sees the note only if it belongs to the proof of a delivery. */
function visibleCircumstances(context: Context, type: OrderEvent['type'], personal: Circumstances): Circumstances {
  if (accountOf(context).role !== 'customer' || proving.includes(type)) return personal
  const { note, ...told } = personal
  return told
}

function circumstancesIn(personal: Circumstances = {}): Partial<OperationEvent> {
  const { latitude, longitude, photo_urls, signature_url, recipient, note } = personal
  const location = omitUndefined({ latitude, longitude })
  return {
    ...(Object.keys(location).length === 0 ? {} : { location }),
    ...(photo_urls === undefined ? {} : { photo_urls: [...photo_urls] }),
    ...omitUndefined({ signature_url, recipient, note }),
  }
}
