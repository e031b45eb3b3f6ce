import { type Contained, gramsOf, itemsOf, totalValueOf } from './customs.ts'
import { EngineError } from './errors.ts'
import { type Finding, pathTo } from './finding.ts'
import { compareAmounts, precisionFindings } from './money.ts'
import { hasImportShop, needsCustoms } from './places/customs-areas.ts'
import type { Place } from './places/place.ts'

/** A shipment from one place to another, as far as customs are concerned. */
interface Declared extends Contained {
  readonly from: Place
  readonly to: Place
}

/** The most that goods of the import one-stop shop are worth, in euros. */
const importShopLimit = '150'

/** The paths of what customs need of a shipment and what is not given; none on a lane without customs. */
export function missingForCustoms(shipment: Declared): readonly string[] {
  const { from, to, customs: { contents_type: type } = {} } = shipment
  if (!needsCustoms(from, to)) return []
  const missing = type === undefined ? [pathTo('customs', 'contents_type')] : []
  if (itemsOf(shipment).length === 0) missing.push(pathTo('customs', 'items'))
  // Nobody classifies letters, and private people do not know the codes of what they give away.
  const needed = type === 'documents' ? [] : type === 'gift' ? origin : goods
  for (const { path, items } of listsOf(shipment))
    for (const [index, item] of items.entries())
      for (const member of needed) if (item[member] === undefined) missing.push(pathTo(pathTo(path, index), member))
  return missing
}

const origin = ['origin_country'] as const
const goods = ['hs_code', 'origin_country'] as const

/** The lists of goods in a shipment, and what they may weigh. */
function listsOf({ parcels, customs }: Contained) {
  const all = parcels.reduce((sum, { weight_grams }) => sum + weight_grams, 0)
  const whole = customs?.items === undefined ? [] : [{ path: 'customs.items', items: customs.items, grams: all }]
  const each = parcels.flatMap(({ items, weight_grams: grams }, index) =>
    items === undefined ? [] : [{ path: pathTo(pathTo('parcels', index), 'items'), items, grams }],
  )
  return [...whole, ...each]
}

/** What contradicts itself in the contents of a shipment. */
function wrongContents(shipment: Declared): readonly Finding[] {
  const lists = listsOf(shipment)
  const isTwice = shipment.customs?.items !== undefined && lists.length > 1
  const twice: Finding[] = isTwice ? [{ path: 'customs.items', code: 'items_twice', params: {} }] : []
  const [first] = lists.flatMap(({ items }) => items)
  const others = lists.flatMap(({ path, items }) =>
    items.flatMap(({ currency }, index): Finding[] =>
      currency === first?.currency
        ? []
        : [
            {
              path: pathTo(pathTo(path, index), 'currency'),
              code: 'mixed_currencies',
              params: { received: currency, expected: first?.currency ?? '' },
            },
          ],
    ),
  )
  const heavy = lists.flatMap(({ path, items, grams }): Finding[] =>
    gramsOf(items) <= grams
      ? []
      : [{ path, code: 'items_too_heavy', params: { received: gramsOf(items), limit: grams } }],
  )
  const imprecise = lists.flatMap(({ path, items }) =>
    items.flatMap(({ unit_value, currency }, index) =>
      precisionFindings(pathTo(pathTo(path, index), 'unit_value'), unit_value, currency),
    ),
  )
  return [...twice, ...others, ...imprecise, ...heavy, ...wrongImportShop(shipment)]
}

function wrongImportShop(shipment: Declared): readonly Finding[] {
  const path = 'customs.ioss_number'
  if (shipment.customs?.ioss_number === undefined) return []
  if (!hasImportShop(shipment.to)) return [{ path, code: 'ioss_elsewhere', params: {} }]
  const { amount, currency } = totalValueOf(itemsOf(shipment))
  // Of other currencies, the rate of the day of the sale would decide.
  const isTooMuch = currency === 'EUR' && compareAmounts(amount, importShopLimit) > 0
  return isTooMuch ? [{ path, code: 'ioss_too_much', params: { received: amount, limit: importShopLimit } }] : []
}

/** Refuses contents that contradict themselves, with `invalid_input` at each member. */
export function requireContents(shipment: Declared): void {
  refuse(wrongContents(shipment))
}

/** Refuses what contradicts itself, and all that customs need and what is not given (`customs_required`), with `invalid_input` at each member. */
export function requireCustoms(shipment: Declared): void {
  const missing = missingForCustoms(shipment)
  refuse([
    ...wrongContents(shipment),
    ...missing.map((path): Finding => ({ path, code: 'customs_required', params: { field: path } })),
  ])
}

function refuse(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}
