import { idFrom, loadEntity } from '../../entity/access.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { payableOf, refundsOf } from '../../entity/payable.ts'
import { payingOperations } from '../../entity/paying-operations.ts'
import { idEntry, statusAnswer, statusOf } from '../../entity/reading.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { NewEvent } from '../../kernel/event.ts'
import { type Label, labelId, labelKind } from './label.ts'
import { billOf, label } from './table.ts'

const { api, moves, refusals } = label

const family = 'label_service'

/** Labels of customers, as they are paid. */
export const payableLabel = payableOf(family, labelKind, billOf)

/** A label that was bought for the calling customer; another one does not exist for it. */
const ownLabel = idFrom('label', 'label_not_found', async (context, id) => {
  const { customer_id, business_id } = (await loadEntity(context, labelKind, id)) ?? {}
  const { id: caller, business } = accountOf(context)
  return customer_id === caller && business_id === business.id
})

/** Pays for a label: what comes to it goes from the wallet of its customer, or neither; or by the word of the staff. */
export const payLabel = payingOperations({
  payable: payableLabel,
  calls: [moves.pay.call, moves.settle_offline.call],
  ...{ id: label.id, entries: idEntry(label), path: `${api.path}/{order_id}` },
  names: [ownLabel, labelId],
  scopes: [['labels:read', 'wallet:read'], [api.write.scope]],
  tags: [api.tag, api.tag],
  errors: [refusals.missing, refusals.forbidden],
  answers: statusAnswer(label),
  answerOf: async (context, id) => statusOf(label, (await loadEntity(context, labelKind, id)) ?? {}),
  ports: ({ ports }) => ports.labels,
})

/** What the end of a label gives back to the wallet of its customer. */
export function labelRefunds(
  context: Context,
  { order_id: id, customer_id: customerId }: Label,
  events: readonly NewEvent<EntityEvent>[],
) {
  return refundsOf(context, context.ports.labels, label, events, { id, customerId, family })
}
