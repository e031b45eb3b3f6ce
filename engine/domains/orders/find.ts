import * as v from 'valibot'
import type { Values } from '../../entity/field.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { named } from '../../kernel/named.ts'
import { numberKey, searchKey, withoutUnseen } from '../../kernel/number-key.ts'
import { operation } from '../../kernel/operation.ts'
import { localDelivery, registeredOrder } from '../../kernel/order-family.ts'
import { maxAmong, type Row } from '../../kernel/read-model.ts'
import { word } from '../../kernel/schemas.ts'
import { orderFor } from '../../kernel/uniorder.ts'
import { recordsOf, withNumber } from './families.ts'
import { ofFamily, visibleWhere } from './load.ts'
import { orderModel } from './order-model.ts'
import { orderRecord } from './record.ts'
import { ordersOf } from './rows.ts'
import { termModel } from './term-model.ts'
import { digitsOf, isSamePhone, nameTerm, phoneTerm, type Searched, spellingsOf, wordsOf } from './terms.ts'

/** The columns that orders are searched by, in the order of the hits. */
const fields = ['order_id', 'tracking_number', 'external_tracking_number', 'reference', 'phone', 'name'] as const

type Field = (typeof fields)[number]

const maxHits = 50

function foundAs<const Entries extends v.ObjectEntries>(entries: Entries) {
  const matched = v.pipe(v.picklist(fields), v.description('What of the order the query is.'))
  return v.strictObject({ ...entries, matched })
}

/** Finds orders by any of their numbers or names. */
export const findOrder = operation({
  name: 'find_order',
  summary:
    'Find orders of all families by one query: tracking number, external tracking number, reference, id, name or phone.',
  scopes: ['orders:read'],
  risk: 'low',
  tag: 'Client',
  mcp: {
    title: 'Find order',
    hint: 'Every word of a name has to match. At most 50 orders are answered, newest first.',
  },
  rest: { method: 'GET', path: '/api/v1/orders/find' },
  input: v.strictObject({
    query: v.pipe(
      word(200),
      v.description('A number, a reference, a name, or a phone with or without its country prefix.'),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    total: v.number(),
    orders: v.array(
      named('FoundOrder', v.variant('family', [foundAs(orderRecord.entries), foundAs(registeredOrder.entries)])),
    ),
  }),
  errors: [],
  handle: async (context, { query }) => {
    const hits = new Map<unknown, Values>()
    const plain = withoutUnseen(query)
    for (const matched of fields)
      for (const order of await foundBy(context, matched, plain))
        if (!hits.has(order.order_id)) hits.set(order.order_id, { ...order, matched })
    const orders = [...hits.values()].slice(0, maxHits)
    return { result: true, total: orders.length, orders }
  },
})

async function foundBy(context: Context, field: Field, query: string): Promise<readonly Values[]> {
  switch (field) {
    case 'order_id':
      return /^[1-9]\d{0,14}$/.test(query.trim()) ? withCell(context, 'order_id', Number(query)) : []
    case 'tracking_number':
      return [...(await withCell(context, 'tracking_key', numberKey(query))), ...(await withNumber(context, query))]
    case 'external_tracking_number':
      return withCell(context, 'external_key', numberKey(query))
    case 'reference':
      return withCell(context, 'reference_key', searchKey(query))
    case 'phone':
      return withPhone(context, query)
    case 'name':
      return withName(context, query)
  }
}

async function withCell(context: Context, column: string, cell: string | number): Promise<readonly Values[]> {
  const where = visibleWhere(context)
  const query = { where, among: { [column]: [cell] }, newestFirst: true, limit: maxHits }
  return recordsOf(context, (await context.models.page(orderModel, query)).rows)
}

async function withPhone(context: Context, query: string): Promise<readonly Values[]> {
  if (!/^[+\d\s()./\p{Pd}]+$/u.test(query) || digitsOf(query).length < 5) return []
  const { business } = accountOf(context)
  const found = await withTerms(context, [[phoneTerm(context.credentials, business.id, query)]])
  return shown(context, found, (party) => party?.phone !== undefined && isSamePhone(party.phone, query))
}

async function withName(context: Context, query: string): Promise<readonly Values[]> {
  const words = wordsOf(query)
  const { business } = accountOf(context)
  const found = await withTerms(
    context,
    spellingsOf(query).map((forms) => forms.map((one) => nameTerm(context.credentials, business.id, one))),
  )
  return shown(context, found, (party) => {
    const known = wordsOf(party?.name ?? '')
    return words.every((one) => known.includes(one))
  })
}

/** The records of those orders of which one of the people is meant. */
async function shown(context: Context, rows: readonly Row[], isMeant: (party: Searched | undefined) => boolean) {
  const meant = await Promise.all(rows.map(async (row) => (await peopleOf(context, row)).some(isMeant)))
  return recordsOf(
    context,
    rows.filter((_, place) => meant[place]),
  )
}

/** The sender and the recipient of an order, as far as the caller may see it. */
async function peopleOf(context: Context, row: Row): Promise<readonly (Searched | undefined)[]> {
  const [local] = row.family === localDelivery ? await ordersOf(context, [row]) : []
  if (local !== undefined) return [local.delivery, local.pickup]
  const other = await ofFamily(context, Number(row.order_id))
  const going = await other?.family.shipment(context, Number(row.order_id))
  return going === undefined ? [] : [orderFor(going).delivery, orderFor(going).pickup]
}

/** The newest orders that have the rarest of the terms, in any of its forms, as far as the caller may see them. */
async function withTerms(context: Context, terms: readonly (readonly string[])[]): Promise<readonly Row[]> {
  const account = accountOf(context)
  const query = { newestFirst: true, limit: maxAmong } as const
  const pages = await Promise.all(
    terms.map((term) =>
      context.models.page(termModel, { where: { business_id: account.business.id }, among: { term }, ...query }),
    ),
  )
  const [rarest] = pages.toSorted((one, other) => one.total - other.total)
  if (rarest === undefined || rarest.total === 0) return []
  const order_id = rarest.rows.map((row) => row.order_id ?? null)
  const { rows } = await context.models.page(orderModel, {
    where: visibleWhere(context),
    among: { order_id },
    ...query,
  })
  return rows
}
