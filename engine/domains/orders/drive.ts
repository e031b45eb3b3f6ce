import * as v from 'valibot'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { text, url } from '../../kernel/schemas.ts'
import { at, commandErrors, commanded, summaryAnswer } from './answer.ts'
import type { Circumstances } from './events.ts'
import { circumstanceEntries, orderEntries } from './schema.ts'

const driving = { scopes: ['orders:write'], risk: 'medium', tag: 'Driver', output: summaryAnswer } as const
const byDriver = { ...driving, roles: ['driver'] } as const
/** The staff may do it in the driver's place. */
const byDriverOrStaff = { ...driving, roles: ['driver', 'client_admin', 'client_employee'] } as const
const errors = [...commandErrors, 'not_the_driver'] as const
const input = v.strictObject({ ...orderEntries, ...circumstanceEntries })

type Said = v.InferOutput<typeof input> & { readonly recipient?: string; readonly signature_url?: string }

/** What the order was done in, apart from what was done. */
function circumstancesOf({ latitude, longitude, photo_urls, signature_url, recipient, note }: Said): Circumstances {
  return omitUndefined({ latitude, longitude, photo_urls, signature_url, recipient, note })
}

/** The driver takes on an order. */
export const acceptOrder = operation({
  ...byDriver,
  name: 'accept_order',
  summary: 'As its driver, accept an assigned order.',
  rest: at('accept'),
  input,
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({
      type: 'AcceptOrder',
      ...given,
      circumstances: circumstancesOf(said),
    })),
})

/** The driver does not take on an order. */
export const rejectOrder = operation({
  ...byDriver,
  name: 'reject_order',
  summary: 'As its driver, reject an assigned order: it is a new order again. The note says why.',
  rest: at('reject'),
  input,
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({
      type: 'RejectOrder',
      ...given,
      circumstances: circumstancesOf(said),
    })),
})

/** The driver is on the way to where the order is. */
export const startPickup = operation({
  ...byDriverOrStaff,
  name: 'start_pickup',
  summary: 'The driver sets out to pick an order up.',
  rest: at('start-pickup'),
  input,
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({
      type: 'StartPickup',
      ...given,
      circumstances: circumstancesOf(said),
    })),
})

/** The driver has the order. */
export const pickUpOrder = operation({
  ...byDriverOrStaff,
  name: 'pick_up_order',
  summary: 'The driver has picked an order up.',
  rest: at('pick-up'),
  input,
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({ type: 'PickUp', ...given, circumstances: circumstancesOf(said) })),
})

/** The driver is on the way to the recipient. */
export const departWithOrder = operation({
  ...byDriverOrStaff,
  name: 'depart_with_order',
  summary: 'The driver sets out to the recipient of an order.',
  rest: at('depart'),
  input,
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({ type: 'Depart', ...given, circumstances: circumstancesOf(said) })),
})

/** The order is delivered. */
export const completeOrder = operation({
  ...byDriverOrStaff,
  name: 'complete_order',
  summary: 'The driver has delivered an order: to whom, with what signature and photographs.',
  rest: at('complete'),
  input: v.strictObject({
    ...input.entries,
    recipient: v.exactOptional(v.pipe(text(200), v.description('Who took it.'))),
    signature_url: v.exactOptional(url),
  }),
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({
      type: 'CompleteOrder',
      ...given,
      circumstances: circumstancesOf(said),
    })),
})

/** An attempt was made in vain. */
export const failOrder = operation({
  ...byDriverOrStaff,
  name: 'fail_order',
  summary: 'An attempt to pick an order up or to deliver it has failed.',
  rest: at('fail'),
  input: v.strictObject({
    ...input.entries,
    reason: v.pipe(
      v.picklist(['deliver_later', 'reschedule', 'refused']),
      v.description('To be tried again, to be agreed anew, or refused by the recipient.'),
    ),
  }),
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({
      type: 'FailOrder',
      ...given,
      reason: said.reason,
      circumstances: circumstancesOf(said),
    })),
})

/** The order is back at its sender. */
export const returnOrder = operation({
  ...byDriverOrStaff,
  name: 'return_order',
  summary: 'An order whose attempt failed is back at its sender.',
  rest: at('return'),
  input,
  errors,
  handle: (context, said) =>
    commanded(context, said.order_id, (given) => ({
      type: 'ReturnOrder',
      ...given,
      circumstances: circumstancesOf(said),
    })),
})

/** The order can be picked up. */
export const markOrderReady = operation({
  ...byDriverOrStaff,
  name: 'mark_order_ready',
  summary: 'An order is ready to be picked up. Said again, nothing changes.',
  rest: at('ready'),
  input: v.strictObject(orderEntries),
  errors,
  handle: (context, { order_id }) => commanded(context, order_id, (given) => ({ type: 'MarkReady', ...given })),
})
