import { loadEntity } from '../../../entity/access.ts'
import type { StateOf } from '../../../entity/field.ts'
import { drafted, type Machine } from '../../../entity/operations.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Code } from '../../../kernel/messages/index.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { dayIn } from '../../../kernel/zone.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { askCarrier, type CarrierRequest, dueWork, workDeadline } from '../ask-carrier.ts'
import { reasonOf } from '../carrier-request.ts'
import { type Label, loadLabels, soldLabel } from '../label.ts'
import { joining } from './labels.ts'
import { pickupKind, pickupModel } from './pickup.ts'
import type { pickup } from './table.ts'

/** Pickups, with what is special about their moves. */
export const pickupMachine: Machine<typeof pickup> = {
  ...pickupKind,
  prepare: {
    request: async (context, values) => {
      const { id: business_id, timeZone: time_zone } = accountOf(context).business
      requireWindow(context, { ...(values as Window), time_zone })
      return { time_zone, business_id, key: context.randomId() }
    },
  },
  create: (context, values) =>
    retryOnConflict(async () => {
      const labels = await loadLabels(context, values.order_ids as readonly number[])
      const { carrier_account_id, carrier } = await accountOfLabels(context, labels)
      const order_ids = labels.map(({ state }) => state.order_id)
      const { id, appends } = await drafted(context, pickupKind, { ...values, order_ids, carrier_account_id, carrier })
      const ofLabels = await Promise.all(labels.map((label) => joining(context, label, id)))
      await context.store.appendMany([...appends, ...ofLabels])
      return id
    }),
  settle: {
    request: workOnPickup,
    cancel: async (context, id) => {
      await workOnPickup(context, id)
      const { status, refusal, message } = (await loadEntity(context, pickupKind, id)) ?? {}
      if (status === 'PICKUP_BOOKED' && refusal !== undefined)
        throw new EngineError('carrier_refused', { reason: message ?? refusal })
    },
  },
}

type Window = Pick<StateOf<typeof pickup>, 'ready_at' | 'closes_at' | 'time_zone'>

/** Refuses a time that is over, or that is not within one day: carriers take a day and two times of it. */
function requireWindow({ clock }: Pick<Context, 'clock'>, { ready_at, closes_at, time_zone }: Window): void {
  const [ready, closes] = [Date.parse(ready_at), Date.parse(closes_at)]
  const problem = (): Code | undefined => {
    if (closes <= ready) return 'ends_before_start'
    if (closes <= clock()) return 'already_over'
    return dayIn(ready, time_zone) === dayIn(closes, time_zone) ? undefined : 'pickup_of_one_day'
  }
  const code = problem()
  if (code !== undefined) throw new EngineError('invalid_input', { count: 1 }, [{ path: 'closes_at', code }])
}

/** The account that labels were bought with. Refuses labels of several accounts, or of a carrier that has no pickups. */
async function accountOfLabels(context: Context, labels: readonly { readonly state: Label }[]): Promise<Label> {
  const [first, ...others] = labels.map(({ state }) => state)
  if (first === undefined) throw new EngineError('label_not_found', { label: 0 })
  const { carrier_account_id, service } = first
  if (others.some((other) => other.carrier_account_id !== carrier_account_id))
    throw new EngineError('labels_of_several_accounts')
  const carrier = await context.ports.labels.carrierOf(context, carrier_account_id)
  const { hasPickups, carrierTitle } = await context.ports.labels.wayOf(context, carrier, service)
  if (!hasPickups) throw new EngineError('carrier_without_pickups', { carrier: carrierTitle })
  return first
}

/** How a carrier is asked for a pickup. A server between us and it may still wait for it, and a second driver costs more than five minutes. */
const request: CarrierRequest<typeof pickup> = {
  ...pickupKind,
  quiet: 300_000,
  ask: async (context, { status, carrier_account_id: account, pickup: booked, place, ...asked }) => {
    const { ask } = context.ports.labels
    if (status === 'PICKUP_CANCEL_PENDING' && booked !== undefined)
      return ask(context, account, 'cancelPickup', { reference: booked.reference }, workDeadline)
    if (place === undefined) return undefined
    const { key, asked_at, ready_at, closes_at, time_zone, order_ids, instruction, location } = asked
    const labels = (await Promise.all(order_ids.map((order) => soldLabel(context, order)))).flat()
    const what = { key, asked_at, ready_at, closes_at, time_zone, labels, place }
    return ask(context, account, 'pickup', { ...what, ...omitUndefined({ instruction, location }) }, workDeadline)
  },
  answered: (answer) => {
    if (!('pickup' in answer)) return ['confirm_cancel']
    const { charge, confirmation_number, reference } = answer.pickup
    return ['book', { pickup: { reference, ...omitUndefined({ charge, confirmation_number }) } }]
  },
  refused: (refusal, { status }) => [status === 'PICKUP_PENDING' ? 'fail' : 'refuse_cancel', reasonOf(refusal)],
}

/** Asks the carrier for what a pickup waits for, if it is time and nobody else does. */
export function workOnPickup(context: Context, id: number): Promise<void> {
  return askCarrier(context, request, id)
}

/** Pickups whose carrier is to be asked before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const duePickups = dueWork(pickupModel)
