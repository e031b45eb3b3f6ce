import type { Shipment } from '../../kernel/carrier.ts'
import { amountOf, percentOf, raisedTo, unitsOf } from '../../kernel/money.ts'
import { plainPostalCode } from '../../kernel/places/postal-codes.ts'
import type { MarkUp } from './mark-up.ts'

/** Whom something may be sold to, and what. */
export interface Sale {
  readonly customerId: number
  readonly accountId: number
  /** A service of the carrier; any of it where absent. */
  readonly service?: string
}

/** Whether a rule is for an account, its service and a customer. */
function concerns({ carrier_account_id, services, customers }: MarkUp, { customerId, accountId, service }: Sale) {
  if (carrier_account_id !== undefined && carrier_account_id !== accountId) return false
  if (customers?.includes(customerId) === false) return false
  return service === undefined || services === undefined || services.includes(service)
}

/** Whether a rule is for the destination and the weight of a shipment. */
function takes({ countries, postal_codes, up_to_grams }: MarkUp, { to, parcels }: Shipment): boolean {
  if (countries?.includes(to.country) === false) return false
  const postalCode = plainPostalCode(to.postal_code ?? '')
  if (postal_codes?.some((prefix) => postalCode.startsWith(prefix)) === false) return false
  const grams = parcels.reduce((sum, { weight_grams }) => sum + weight_grams, 0)
  return up_to_grams === undefined || grams <= up_to_grams
}

/** The rule that holds for a rate: the first one that fits; undefined if none does. */
export function ruleFor(rules: readonly MarkUp[], sale: Required<Sale>, shipment: Shipment): MarkUp | undefined {
  return rules.find((rule) => concerns(rule, sale) && takes(rule, shipment))
}

/** Whether there may be a shipment that is sold so. */
export function maySell(rules: readonly MarkUp[], sale: Sale): boolean {
  for (const rule of rules.filter((one) => concerns(one, sale))) {
    if (rule.is_sold !== false) return true
    const { services, countries, postal_codes, up_to_grams } = rule
    const isForAll = [sale.service === undefined ? services : undefined, countries, postal_codes, up_to_grams]
    if (isForAll.every((condition) => condition === undefined)) return false
  }
  return false
}

/**
 * What a customer pays by a rule for what costs the business an amount, in its currency. The percentage is rounded half up to the
 * smallest amount of the currency; then the price is raised as the rule says.
 */
export function sellPrice(cost: string, rule: MarkUp, currency: string): string {
  const { percent = '0', amount = '0', minimum = '0', round_to, ending } = rule
  const asked = percentOf(unitsOf(cost), percent, currency) + unitsOf(amount)
  const missing = unitsOf(minimum) - asked
  const price = amountOf(unitsOf(cost) + asked + (missing > 0n ? missing : 0n), currency)
  return round_to === undefined ? price : raisedTo(price, round_to, ending ?? '0', currency)
}
