import * as v from 'valibot'
import { staff } from '../../../kernel/account.ts'
import { accountOf } from '../../../kernel/call.ts'
import { pickupPlace } from '../../../kernel/carrier.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Finding } from '../../../kernel/finding.ts'
import { amountOf } from '../../../kernel/money.ts'
import { named } from '../../../kernel/named.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { type Answer, operation } from '../../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../../kernel/paging.ts'
import { priceOf } from '../../../kernel/prices.ts'
import { id, instant, word } from '../../../kernel/schemas.ts'
import { isoOf } from '../../../kernel/time.ts'
import { dayIn, zonedIso } from '../../../kernel/zone.ts'
import { execute, retryOnConflict } from '../../../store/execute.ts'
import { nextNumbers } from '../../../store/sequence.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { type Label, labelId, loadLabel } from '../label.ts'
import { labelIds, maxLabels } from '../manifest.ts'
import { refusalRecord } from '../record.ts'
import { joining } from './labels.ts'
import { loadPickup, type Pickup, pickupId, pickupModel, pickupStatuses, pickupStream, pickups } from './pickup.ts'
import { workOnPickup } from './work.ts'

const write = { scopes: ['labels:write'], roles: staff, risk: 'high', tag: 'LabelService' } as const
const read = { scopes: ['labels:read'], roles: staff, risk: 'low', tag: 'LabelService' } as const
const path = '/api/v1/labelservice/pickups'

const zoned = v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.'))

const about = {
  instruction: v.exactOptional(v.pipe(word(200), v.description('What the driver is to know.'))),
  location: v.exactOptional(v.pipe(word(100), v.description('Where the parcels are, as “behind the front desk”.'))),
}

const pickupRecord = named(
  'Pickup',
  v.strictObject({
    pickup_id: v.number(),
    status: v.pipe(
      v.picklist(pickupStatuses),
      v.description('In PICKUP_PENDING and PICKUP_CANCEL_PENDING, the carrier is yet to answer.'),
    ),
    carrier_account_id: v.number(),
    carrier: v.string(),
    order_ids: v.pipe(v.array(v.number()), v.description('Ids of the label orders, but for those that were voided.')),
    ready_at: zoned,
    closes_at: zoned,
    confirmation_number: v.exactOptional(v.pipe(v.string(), v.description('The number that the driver knows.'))),
    pickup_reference: v.exactOptional(v.pipe(v.string(), v.description('What the carrier calls it.'))),
    currency: v.exactOptional(priceOf('label_service', v.pipe(v.string(), v.description('That of the carrier.')))),
    total_price: v.exactOptional(
      priceOf(
        'label_service',
        v.pipe(v.string(), v.description('Decimal text, as 12.50, where the carrier tells it.')),
      ),
    ),
    refusal: v.exactOptional(
      v.pipe(refusalRecord, v.description('Why the carrier does not come, or the last time was not called off.')),
    ),
    asked_at: zoned,
  }),
)

const answer = named('PickupAnswer', v.strictObject({ result: v.literal(true), ...pickupRecord.entries }))

/** Asks the carrier of labels to pick them up. */
export const requestPickup = operation({
  ...write,
  name: 'request_pickup',
  summary: `Have the carrier of up to ${maxLabels} labels pick them up: when, where, and whom to ask there. Carriers may charge for it.`,
  rest: { method: 'POST', path },
  ids: { 'order_ids.*': labelId },
  input: v.strictObject({
    order_ids: v.pipe(
      labelIds,
      v.description(
        'Ids of label orders that are bought or submitted, of one account at a carrier, and in no other pickup.',
      ),
    ),
    ready_at: v.pipe(instant, v.description('From when on the parcels are ready.')),
    closes_at: v.pipe(
      instant,
      v.description('Until when somebody is there; on the same day in the time zone of the business.'),
    ),
    place: v.pipe(pickupPlace, v.description('Where the driver comes, and whom to ask there.')),
    ...about,
  }),
  output: answer,
  errors: [
    ...([
      'label_not_found',
      'label_status_forbids',
      'label_in_pickup',
      'labels_of_several_accounts',
      'carrier_without_pickups',
    ] as const),
    ...(['ends_before_start', 'pickup_of_one_day', 'already_over'] as const),
    ...(['carrier_account_not_found', 'contention'] as const),
  ],
  handle: async (context, { order_ids, ready_at, closes_at, ...personal }) => {
    const { id: by, business } = accountOf(context)
    const window = { ready_at: isoOf(Date.parse(ready_at)), closes_at: isoOf(Date.parse(closes_at)) }
    requireWindow(context, window)
    return retryOnConflict(async () => {
      const labels = await Promise.all(order_ids.map((one) => loadLabel(context, one)))
      const { carrier_account_id, carrier } = await accountOfLabels(context, labels)
      const { first: pickup_id, append } = await nextNumbers(context, 'pickup')
      const data = {
        ...{ at: isoOf(context.clock()), by, pickup_id, business_id: business.id, key: context.randomId() },
        ...{ carrier_account_id, carrier, order_ids, ...window, time_zone: business.timeZone, personal },
      }
      const events = pickups.decide({ type: 'AskPickup', ...data }, undefined).map(toNewEvent(context))
      const ofLabels = await Promise.all(labels.map((label) => joining(context, label, pickup_id)))
      const asked = { stream: pickupStream(pickup_id), events, expected: 'no-stream' } as const
      await context.store.appendMany([append, asked, ...ofLabels])
      return { result: true, ...recordOf(context, await loadPickup(context, pickup_id)) }
    })
  },
  settle: (context, { pickup_id }) => settled(context, Number(pickup_id)),
})

/** Refuses a time that is over, or that is not within one day: carriers take a day and two times of it. */
function requireWindow(context: Context, window: Pick<Pickup['asked'], 'ready_at' | 'closes_at'>): void {
  const { timeZone } = accountOf(context).business
  const [ready, closes] = [Date.parse(window.ready_at), Date.parse(window.closes_at)]
  const problem = (): Finding['code'] | undefined => {
    if (closes <= ready) return 'ends_before_start'
    if (closes <= context.clock()) return 'already_over'
    return dayIn(ready, timeZone) === dayIn(closes, timeZone) ? undefined : 'pickup_of_one_day'
  }
  const code = problem()
  if (code !== undefined) throw new EngineError('invalid_input', { count: 1 }, [{ path: 'closes_at', code }])
}

/** The account that labels were bought with. Refuses labels of several accounts, or of a carrier that has no pickups. */
async function accountOfLabels(
  context: Context,
  labels: readonly { readonly state: Label }[],
): Promise<Label['asked']> {
  const [first, ...others] = labels.map(({ state }) => state.asked)
  if (first === undefined) throw new EngineError('label_not_found', { label: 0 })
  const { carrier_account_id, service } = first
  if (others.some((other) => other.carrier_account_id !== carrier_account_id))
    throw new EngineError('labels_of_several_accounts')
  const carrier = await context.ports.labels.carrierOf(context, carrier_account_id)
  const { hasPickups, carrierTitle } = await context.ports.labels.wayOf(context, carrier, service)
  if (!hasPickups) throw new EngineError('carrier_without_pickups', { carrier: carrierTitle })
  return first
}

async function settled(context: Context, id: number): Promise<Answer> {
  await workOnPickup(context, id)
  return { result: true, ...recordOf(context, await loadPickup(context, id)) }
}

/** Returns a pickup. */
export const getPickup = operation({
  ...read,
  name: 'get_pickup',
  summary: 'A pickup of labels: its status, the number of the carrier, and where the driver comes.',
  rest: { method: 'GET', path: `${path}/{pickup_id}` },
  ids: { pickup_id: pickupId },
  input: v.strictObject({ pickup_id: id }),
  output: v.strictObject({
    ...answer.entries,
    place: v.exactOptional(v.pipe(pickupPlace, v.description('Missing once it was erased.'))),
    ...about,
  }),
  errors: ['pickup_not_found'],
  handle: async (context, { pickup_id }) => {
    const pickup = await loadPickup(context, pickup_id)
    return { result: true, ...recordOf(context, pickup), ...pickup.asked.personal }
  },
})

/** Lists pickups. */
export const listPickups = operation({
  ...read,
  name: 'list_pickups',
  summary: 'The pickups of labels of the business, newest first.',
  rest: { method: 'GET', path },
  input: v.strictObject(pageEntries),
  output: v.strictObject({ result: v.literal(true), pickups: v.array(pickupRecord), ...pageAnswerEntries }),
  errors: [],
  handle: async (context, asked) => {
    const { range, paging } = pageOf(asked)
    const where = { business_id: accountOf(context).business.id }
    const { rows, total } = await context.models.page(pickupModel, { where, newestFirst: true, ...range })
    const found = await Promise.all(rows.map((row) => loadPickup(context, Number(row.pickup_id))))
    return { result: true, pickups: found.map((one) => recordOf(context, one)), total, ...paging }
  },
})

/** Calls a pickup off. */
export const cancelPickup = operation({
  ...write,
  name: 'cancel_pickup',
  summary: 'Call off a pickup of labels. Refused with the reason of the carrier once its driver is on the way.',
  rest: { method: 'POST', path: `${path}/{pickup_id}/cancel` },
  ids: { pickup_id: pickupId },
  input: v.strictObject({ pickup_id: id }),
  output: answer,
  errors: ['pickup_not_found', 'pickup_status_forbids', 'carrier_refused', 'contention'],
  handle: async (context, { pickup_id }) => {
    await loadPickup(context, pickup_id)
    const command = { type: 'PickupCancelAsked', at: isoOf(context.clock()), by: accountOf(context).id } as const
    await execute(context.store, pickups, pickupStream(pickup_id), command, toNewEvent(context))
    return { result: true, ...recordOf(context, await loadPickup(context, pickup_id)) }
  },
  settle: async (context, { pickup_id }) => {
    const told = await settled(context, Number(pickup_id))
    const { status, refusal } = await loadPickup(context, Number(pickup_id))
    if (status === 'PICKUP_BOOKED' && refusal !== undefined)
      throw new EngineError('carrier_refused', { reason: refusal.message ?? refusal.code })
    return told
  },
})

function recordOf(
  context: Context,
  { asked, orderIds, status, booked, refusal }: Pickup,
): v.InferOutput<typeof pickupRecord> {
  const { pickup_id, carrier_account_id, carrier, ready_at, closes_at, at } = asked
  const inZone = (instant: string) => zonedIso(Date.parse(instant), accountOf(context).business.timeZone)
  const { charge, confirmation_number, reference: pickup_reference } = booked ?? {}
  return {
    ...{ pickup_id, status, carrier_account_id, carrier, order_ids: [...orderIds] },
    ...{ ready_at: inZone(ready_at), closes_at: inZone(closes_at) },
    ...omitUndefined({ confirmation_number, pickup_reference, refusal }),
    ...(charge && { currency: charge.currency, total_price: amountOf(charge.amount) }),
    asked_at: inZone(at),
  }
}
