import t from 'tap'
import * as v from 'valibot'
import { shipmentEntries } from './carrier.ts'
import { gramsOf, itemsOf, totalValueOf, unitValueOf } from './customs.ts'
import { missingForCustoms, requireContents, requireCustoms } from './customs-findings.ts'
import { EngineError } from './errors.ts'
import { parse } from './parse.ts'

const shipment = v.strictObject(shipmentEntries)

const shirts = {
  ...{ description: 'Cotton shirts', quantity: 2, unit_value: '19.90', currency: 'EUR', weight_grams: 180 },
  ...{ hs_code: '6109.10', origin_country: 'PT' },
}
const mug = {
  ...{ description: 'Mug', quantity: 1, unit_value: '8.05', currency: 'EUR', weight_grams: 350 },
  ...{ hs_code: '691110', origin_country: 'DE' },
}
const parcel = { weight_grams: 1_000 }
const toSwiss = { from: { country: 'DE' }, to: { country: 'CH' }, parcels: [parcel] }
const declared = { ...toSwiss, customs: { contents_type: 'merchandise', items: [shirts, mug] } }

/** A shipment as it is taken, or what is wrong with it. */
function read(given: unknown) {
  const { value, findings = [] } = parse(shipment, given)
  return value ?? findings.map(({ path, code }) => `${path} ${code}`)
}

function findingsOf(given: unknown, check = requireCustoms): EngineError['findings'] {
  try {
    check(v.parse(shipment, given))
    return []
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.findings
  }
}

/** What is wrong with a shipment that is well formed. */
function wrong(given: unknown, check = requireCustoms): readonly string[] {
  return findingsOf(given, check).map(({ path, code }) => `${path} ${code}`)
}

t.test(
  'given contents of a shipment, when they are read, then they have one form, or each mistake is named',
  async (t) => {
    const withItem = (more: object) => ({ ...toSwiss, customs: { items: [{ ...shirts, ...more }] } })
    for (const [given, hs_code] of [
      ['6109.10', '610910'],
      ['6109 10 00 12', '6109100012'],
      ['6109.10.0012', '6109100012'],
      ['61091000', '61091000'],
      ['6109-10', '610910'],
      ['0901210', '0901210'],
    ] as const)
      t.match(read(withItem({ hs_code: given })), { customs: { items: [{ hs_code }] } }, given)
    const item = 'customs.items[0]'
    for (const [more, problem] of [
      [{ hs_code: '61091' }, `${item}.hs_code not_an_hs_code`],
      [{ hs_code: '61091000123' }, `${item}.hs_code not_an_hs_code`],
      [{ hs_code: 'shirts' }, `${item}.hs_code not_an_hs_code`],
      [{ quantity: 0 }, `${item}.quantity too_small`],
      [{ quantity: 1.5 }, `${item}.quantity wrong_type`],
      [{ unit_value: '0.00' }, `${item}.unit_value no_value`],
      [{ unit_value: '-3' }, `${item}.unit_value not_an_amount`],
      [{ unit_value: '1e5' }, `${item}.unit_value not_an_amount`],
      [{ unit_value: '1,50' }, `${item}.unit_value not_an_amount`],
      [{ unit_value: '' }, `${item}.unit_value not_an_amount`],
      [{ currency: 'euro' }, `${item}.currency not_currency`],
      [{ weight_grams: 0 }, `${item}.weight_grams too_small`],
      [{ origin_country: 'UK' }, `${item}.origin_country country_meant`],
      [{ description: '' }, `${item}.description too_short`],
      [{ colour: 'red' }, `${item}.colour unknown_field`],
    ] as const)
      t.same(read(withItem(more)), [problem], problem)
    for (const [customs, problem] of [
      [{ contents_type: 'other' }, 'customs.contents_explanation contents_unexplained'],
      [{ contents_type: 'goods' }, 'customs.contents_type unknown_value'],
      [{ incoterm: 'DDU' }, 'customs.incoterm unknown_value'],
      [{ sender_eori: '1234567' }, 'customs.sender_eori not_an_eori'],
      [{ ioss_number: 'IM8260000123' }, 'customs.ioss_number not_an_ioss_number'],
      [{ invoice_date: '2026-02-30' }, 'customs.invoice_date no_such_day'],
      [{ non_delivery: 'burn' }, 'customs.non_delivery unknown_value'],
      [{ items: [] }, 'customs.items too_short'],
    ] as const)
      t.same(read({ ...toSwiss, customs }), [problem], problem)
    t.match(read({ ...toSwiss, customs: { ioss_number: 'im 276 000 0123', sender_eori: 'de 12345-67' } }), {
      customs: { ioss_number: 'IM2760000123', sender_eori: 'DE1234567' },
    })
  },
)

t.test('given values of goods, when they are printed, then with the decimals of their currency', async (t) => {
  for (const [unit_value, currency, printed] of [
    ['12.5', 'EUR', '12.50'],
    ['12', 'EUR', '12.00'],
    ['1.5', 'BHD', '1.500'],
    ['12', 'JPY', '12'],
  ] as const)
    t.equal(unitValueOf({ ...mug, unit_value, currency }), printed)
})

t.test('given a lane with customs, when a label is bought, then all that they miss is named at once', async (t) => {
  t.same(wrong(declared), [])
  t.same(wrong(toSwiss), ['customs.contents_type customs_required', 'customs.items customs_required'])
  const { hs_code: _, origin_country: __, ...bare } = shirts
  const gaps = ['customs.items[0].hs_code', 'customs.items[0].origin_country', 'customs.items[1].origin_country']
  const { origin_country: ___, ...unknown } = mug
  const items = [bare, unknown]
  t.same(missingForCustoms(v.parse(shipment, { ...toSwiss, customs: { contents_type: 'sample', items } })), gaps)
  t.same(wrong({ ...toSwiss, customs: { contents_type: 'gift', items } }), [
    'customs.items[0].origin_country customs_required',
    'customs.items[1].origin_country customs_required',
  ])
  t.same(wrong({ ...toSwiss, customs: { contents_type: 'documents', items } }), [])
  t.same(wrong({ ...toSwiss, customs: { items: [mug] } }), ['customs.contents_type customs_required'])
  const filled = { ...toSwiss, customs: { contents_type: 'merchandise' }, parcels: [{ ...parcel, items: [bare] }] }
  t.same(wrong(filled), [
    'parcels[0].items[0].hs_code customs_required',
    'parcels[0].items[0].origin_country customs_required',
  ])
  t.same(wrong({ ...filled, to: { country: 'FR' } }), [], 'not within the Union')
  t.same(wrong({ from: { country: 'ES' }, to: { country: 'IC' }, parcels: [parcel] }).length, 2)
  t.same(wrong(toSwiss, requireContents), [], 'a quote needs none of it')
})

t.test(
  'given contents that contradict themselves, when they are checked, then each contradiction is named',
  async (t) => {
    const each = [{ ...parcel, items: [shirts] }, parcel]
    t.same(wrong({ ...declared, parcels: each }), ['customs.items items_twice'])
    const dollars = { ...mug, currency: 'USD' }
    t.same(wrong({ ...declared, customs: { contents_type: 'gift', items: [shirts, dollars] } }), [
      'customs.items[1].currency mixed_currencies',
    ])
    for (const [unit_value, currency] of [
      ['1.999', 'EUR'],
      ['1.5', 'JPY'],
    ] as const) {
      const items = [{ ...shirts, unit_value, currency }]
      const asked = { ...declared, customs: { contents_type: 'gift', items } }
      const limit = currency === 'JPY' ? 0 : 2
      t.match(findingsOf(asked), [
        { path: 'customs.items[0].unit_value', code: 'too_precise', params: { currency, limit } },
      ])
    }
    const parcels = [
      { ...parcel, items: [shirts] },
      { ...parcel, items: [dollars] },
    ]
    t.same(wrong({ ...toSwiss, customs: { contents_type: 'gift' }, parcels }), [
      'parcels[1].items[0].currency mixed_currencies',
    ])
    const many = { ...shirts, quantity: 6 }
    t.same(wrong({ ...toSwiss, parcels: [{ ...parcel, items: [many] }] }, requireContents), [
      'parcels[0].items items_too_heavy',
    ])
    const two = { ...toSwiss, parcels: [parcel, parcel] }
    t.same(wrong({ ...two, customs: { contents_type: 'gift', items: [many, mug] } }), [], 'in two parcels')
    t.same(wrong({ ...two, customs: { items: [{ ...many, quantity: 12 }] } }, requireContents), [
      'customs.items items_too_heavy',
    ])
  },
)

t.test(
  'given an IOSS number, when it is checked, then the goods go to the Union and are worth 150 EUR at most',
  async (t) => {
    const sold = (to: object, unit_value: string, currency = 'EUR') => ({
      ...{ from: { country: 'CN' }, to, parcels: [parcel] },
      customs: {
        ...{ contents_type: 'merchandise', ioss_number: 'IM2760000123' },
        items: [{ ...mug, unit_value, currency, quantity: 2 }],
      },
    })
    t.same(wrong(sold({ country: 'DE' }, '75.00')), [])
    t.same(wrong(sold({ country: 'DE' }, '75.01')), ['customs.ioss_number ioss_too_much'])
    t.same(wrong(sold({ country: 'GB', postal_code: 'BT1 1AA' }, '75.00')), [], 'Northern Ireland')
    for (const to of [{ country: 'GB' }, { country: 'CH' }, { country: 'IC' }, { country: 'FR', postal_code: '97400' }])
      t.same(wrong(sold(to, '10.00')), ['customs.ioss_number ioss_elsewhere'], JSON.stringify(to))
    t.same(wrong(sold({ country: 'DE' }, '160', 'USD')), [], 'only the rate of the day says how many euros these are')
  },
)

t.test(
  'given goods, when they are summed, then values are exact to the smallest unit, and weights are of all',
  async (t) => {
    const { customs, parcels } = v.parse(shipment, declared)
    const items = itemsOf({ parcels, ...(customs && { customs }) })
    t.same(totalValueOf(items), { amount: '47.85', currency: 'EUR' })
    t.equal(gramsOf(items), 710)
    const priced = (unit_value: string, quantity: number, currency: string) =>
      totalValueOf([{ ...mug, unit_value, quantity, currency }]).amount
    t.equal(priced('0.1', 3, 'EUR'), '0.30', 'floats would say 0.30000000000000004')
    t.equal(priced('19.99', 99_999, 'EUR'), '1998980.01')
    t.equal(priced('7', 3, 'JPY'), '21')
    t.equal(priced('1.001', 7, 'KWD'), '7.007')
    t.equal(priced('999999999', 99_999, 'USD'), '99998999900001.00')
  },
)
