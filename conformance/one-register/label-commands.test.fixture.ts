import assert from 'node:assert/strict'
import {
  among,
  asked,
  bodyOf,
  type Command,
  callerOn,
  isShown,
  names,
  onOrder,
  references,
  scanOf,
} from './command.test.fixture.ts'
import { scanParcel, voidLabel } from './label.test.fixture.ts'
import { moves } from './local.test.fixture.ts'
import { begin, type Parcel } from './model.test.fixture.ts'

export const buy: Command = async (work, { how, who }) => {
  const business = among(['one', 'one', 'two'] as const, who)
  const [name, reference] = [among(names, how), among(references, how)]
  const isBroke = how % 6 === 5
  const party = { street: '1 Main Street', postal_code: isBroke ? '00005' : 'M5V 1A1', region: 'ON', country: 'CA' }
  const shipment = {
    ...{ from: { ...party, name: 'Acme' }, to: { ...party, name } },
    parcels: [{ weight_grams: 800 }, { weight_grams: 900 }].slice(how % 2),
  }
  const { rates } = await asked(work, 'ok', business, 'POST', 'labelservice/compareAllCarriers', shipment)
  const body = { ...shipment, reference, rate_id: rates[0].rate_id }
  const made = await asked(work, 'ok', business, 'POST', 'labelservice/createShippingLabel', body)
  const state = isBroke ? 'LABEL_PURCHASE_FAILED' : 'LABEL_PURCHASED'
  assert.equal(made.status, state)
  const begun = { business, family: 'label_service', name, reference, state, provider: 'sandbox' } as const
  begin(work.model, begun, made.order_id, made.tracking_numbers)
}

export const scan: Command = onOrder(async (work, order, chances) => {
  const { office, told } = work
  const parcel: Parcel | undefined = among(order.parcels, chances.who)
  if (parcel === undefined || order.family !== 'label_service') return
  const [one, isStranger] = [scanOf(work, chances), chances.which % 7 === 0]
  const whose = isStranger === (order.business === 'one') ? 'two' : 'one'
  assert.equal(await office.scan(whose, parcel.number, one), isStranger ? 0 : 1)
  if (isStranger) return
  scanParcel(work.model, order, parcel, one.code, one.at)
  told.push(async () => assert.equal(await office.scan(whose, parcel.number, one), 1))
}, 'label_service')

export const giveUp: Command = onOrder(async (work, order, { who }) => {
  const someone = callerOn(order, who)
  const caller = someone === 'customer' ? order.business : someone
  const isLabel = order.family === 'label_service' && isShown(order, caller)
  const refusal = isLabel ? voidLabel(work.model, order) : 'label_not_found'
  await asked(work, refusal ?? 'ok', caller, 'POST', 'labelservice/cancelShippingLabel', { order_id: order.id })
}, 'label_service')

/** Operations of one family, with the id of an order of another one, or of none. */
export const mistake: Command = onOrder(async (work, order, { how, who }) => {
  const caller = callerOn(order, who)
  if (caller === 'customer') return
  const { id } = order
  const isLabel = order.family === 'label_service'
  const refusal = isShown(order, caller) ? 'not_a_self_delivery_order' : 'order_not_found'
  const mistakes: readonly (readonly [string, string, string, object?])[] = isLabel
    ? [
        ...Object.keys(moves)
          .filter((verb) => !['accept', 'reject'].includes(verb))
          .map(
            (verb) => [refusal, 'POST', `orders/${id}/${verb}`, bodyOf(verb, work, { how, who, which: 0 })] as const,
          ),
        [refusal, 'POST', `orders/${id}/ready`, {}],
        [refusal, 'POST', `orders/${id}/note`, { note: 'x' }],
        [refusal, 'POST', `orders/${id}/delivery-instruction`, { delivery_instruction: 'x' }],
        [refusal, 'POST', `orders/${id}/price`, { price: { shipping_price: '1.00', currency: 'CAD' } }],
        [refusal, 'PATCH', `orders/${id}`, { reference: 'x' }],
        [refusal, 'GET', `orders/${id}/proof-files`],
        ['uniorder_not_found', 'POST', `uniorder/order-${id}/cancel`, {}],
      ]
    : [
        ['label_not_found', 'GET', `labelservice/labels/${id}`],
        ['label_not_found', 'POST', 'labelservice/getShippingDetail', { order_id: id }],
        ['label_not_found', 'POST', 'labelservice/cancelShippingLabel', { order_id: id }],
        ['uniorder_not_found', 'POST', `uniorder/label-${id}/cancel`, {}],
        ['device_order_not_found', 'POST', `device-orders/${id}/cancel`, {}],
      ]
  const [code, ...question] = among(mistakes, how)
  await asked(work, code, caller, ...question)
})
