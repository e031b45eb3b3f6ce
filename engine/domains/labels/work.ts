import type { Context } from '../../kernel/context.ts'
import { recordedAmount } from '../../kernel/money.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { askCarrier, type CarrierRequest, dueWork, workDeadline } from './ask-carrier.ts'
import { reasonOf } from './carrier-request.ts'
import { labelKind, labelModel, shipmentOf } from './label.ts'
import { manifestModel } from './manifest.ts'
import { labelRefunds } from './pay.ts'
import { returning } from './pickups/labels.ts'
import { pickupModel } from './pickups/pickup.ts'
import type { label } from './table.ts'

/** How a carrier is asked for what a label waits for. */
const request: CarrierRequest<typeof label> = {
  ...labelKind,
  ask: async (context, label) => {
    const { status, carrier_account_id: account, label: bought } = label
    const { ask } = context.ports.labels
    if (status === 'LABEL_VOID_PENDING' && bought !== undefined) {
      const { reference, tracking_numbers } = bought
      return ask(context, account, 'void', { reference, tracking_numbers }, workDeadline)
    }
    const shipment = shipmentOf(label)
    if (shipment === undefined) return undefined
    const { key, asked_at, service, amount, currency, rate_reference: reference } = label
    const chosen = { service, amount: recordedAmount(amount, currency), currency, ...omitUndefined({ reference }) }
    return ask(context, account, 'buy', { key, asked_at, ...chosen, ...shipment }, workDeadline)
  },
  answered: (answer) => {
    if (!('label' in answer)) return ['void']
    const { document, customs_document, ...label } = answer.label
    return ['buy', { label, document, customs_document }]
  },
  refused: (refusal, { status }) => [status === 'LABEL_PENDING' ? 'fail' : 'refuse_void', reasonOf(refusal)],
  beside: async (context, move, label, events) =>
    move === 'refuse_void' ? returning(context, label) : labelRefunds(context, label, events),
}

/** Asks the carrier for what a label waits for, if it is time and nobody else does. */
export function workOnLabel(context: Context, id: number): Promise<void> {
  return askCarrier(context, request, id)
}

/** Labels whose carrier is to be asked before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueLabels = dueWork(labelModel)

/** Whether a carrier is yet to answer for a label, or for a manifest or a pickup of labels, of an account. */
export async function isWaitedFor({ models }: Pick<Context, 'models'>, carrier_account_id: number): Promise<boolean> {
  const where = { carrier_account_id, is_waiting: 1 }
  const found = await Promise.all([labelModel, manifestModel, pickupModel].map((model) => models.rows(model, where, 1)))
  return found.flat().length > 0
}
