import * as v from 'valibot'
import { requireFields } from '../../entity/access.ts'
import type { Values } from '../../entity/field.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { addressTermsOf } from './addresses/terms.ts'
import { callEntries } from './answer.ts'
import { type CommandOnOrder, commandStamp, runOrder } from './load.ts'
import { moves } from './moves.ts'
import { orderTable } from './order.ts'
import { summaryOf } from './record.ts'
import { orderEntries, type Party, party } from './schema.ts'
import type { Order } from './state.ts'
import { termsOf } from './terms.ts'

const { fields } = orderTable

const { name, phone, email, address } = party.entries

/** What is corrected of somebody; members that are not given stay. */
const partyCorrection = named(
  'PartyCorrection',
  v.strictObject({
    name: v.exactOptional(name),
    phone: v.exactOptional(v.pipe(v.nullable(phone.wrapped), v.description('null for none.'))),
    email: v.exactOptional(v.pipe(v.nullable(email.wrapped), v.description('null for none.'))),
    address: v.exactOptional(v.pipe(address, v.description('The whole address; only until the order is dispatched.'))),
  }),
)

const corrections = v.strictObject({
  ...orderEntries,
  reference: v.exactOptional(v.pipe(v.nullable(fields.reference.type), v.description('null for none.'))),
  items: v.exactOptional(fields.items.type),
  tags: v.exactOptional(
    v.pipe(
      fields.tags.type,
      v.description('All tags of the order, by which assignment rules choose; only staff give them.'),
    ),
  ),
  delivery: v.exactOptional(partyCorrection),
  pickup: v.exactOptional(partyCorrection),
  delivery_instruction: v.exactOptional(v.pipe(fields.delivery_instruction.type, v.description('Empty for none.'))),
  note: v.exactOptional(v.pipe(fields.note.type, v.description('Empty for none; only staff write and read it.'))),
  schedule_date: v.exactOptional(fields.schedule_date.type),
  time_window: v.exactOptional(fields.time_window.type),
})

type Corrections = v.InferOutput<typeof corrections>

type PartyCorrection = v.InferOutput<typeof partyCorrection>

/** Corrects an order. Its price and its number stay. */
export const updateOrder = operation({
  ...callEntries(moves.correct.call),
  rest: { method: 'PATCH', path: '/api/v1/orders/{order_id}' },
  tag: 'Client',
  requireFields: (context, input) => requireFields(context, orderTable, 'create', input),
  input: corrections,
  handle: async (context, { order_id, ...input }) => {
    const { order } = await runOrder(context, order_id, (before) => commandsOf(context, before, input))
    return { result: true, ...summaryOf(order, context) }
  },
})

type Given = Omit<Corrections, 'order_id'>

/** Each kind of correction is a separate command, so that the same thing is the same event, no matter who asks for it and how. */
function commandsOf(context: Context, order: Order, input: Given): readonly CommandOnOrder[] {
  const { delivery_instruction: instruction, note, schedule_date, time_window } = input
  const stamp = commandStamp(context)
  const when = omitUndefined({ schedule_date, time_window })
  return [
    correctionOf(context, order, input),
    ...(instruction === undefined ? [] : [{ type: 'ChangeInstruction', ...stamp, text: instruction } as const]),
    ...(note === undefined ? [] : [{ type: 'ChangeNote', ...stamp, text: note } as const]),
    ...(Object.keys(when).length === 0 ? [] : [{ type: 'Reschedule', ...stamp, ...when } as const]),
  ]
}

function correctionOf(context: Context, order: Order, input: Given): CommandOnOrder {
  const { business, role } = accountOf(context)
  const { reference, items, tags } = input
  const people = omitUndefined({
    delivery: input.delivery && corrected(order, 'delivery', input.delivery),
    pickup: input.pickup && corrected(order, 'pickup', input.pickup),
  })
  const after = [people.delivery ?? order.delivery, people.pickup ?? order.pickup]
  return {
    type: 'CorrectOrder',
    ...commandStamp(context),
    values: { ...omitUndefined({ reference, items, tags }), ...people },
    terms: termsOf(context.credentials, business.id, after),
    address_terms: addressTermsOf(context.credentials, business.id, after),
    isByCustomer: role === 'customer',
  }
}

/** Somebody as corrected. A person who is new to the order needs a name and an address. Refuses with `order_forgotten`. */
function corrected(order: Order, side: 'delivery' | 'pickup', given: PartyCorrection): Party {
  const all: Values = { ...order[side], ...given }
  if (order.isErased) throw new EngineError('order_forgotten', { order: order.order_id })
  const missing = ['name', 'address'].filter((member) => all[member] === undefined)
  if (missing.length > 0) {
    const findings = missing.map((member) => ({ path: `${side}.${member}`, code: 'required', params: {} }) as const)
    throw new EngineError('invalid_input', { count: findings.length }, findings)
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Party
}
