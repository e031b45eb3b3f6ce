import {
  type CarrierInputs,
  type CarrierMethod,
  type CarrierOutcome,
  ownFleetName,
  type Shipment,
} from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { accountsOfBusiness, findCarrierAccount, loadCarrierAccount } from './account.ts'
import { askAccount, carrierNamed } from './asked.ts'
import type { Asking } from './asking.ts'
import { offersOf, priceIn } from './offers.ts'

/**
 * Asks all carriers of the business at once, for itself or for a customer; the cheapest comes first. Rates in a currency without a
 * rate of exchange are left out: they cannot be bought.
 */
export async function compareForLabels(context: Context, shipment: Shipment, asking: Asking) {
  const { offered, unanswered } = await offersOf(context, await accountsOfBusiness(context), shipment, asking)
  const rates = offered.flatMap((one) => {
    const { account, exchange, sold } = one
    const { service_name: _, ...offer } = one.offer
    const charge = priceIn(one)
    const rate = { carrier_account_id: account.id, ...offer, ...omitUndefined({ exchange }), ...sold }
    return charge === undefined ? [] : [{ ...rate, charge }]
  })
  return { offered: rates, unanswered }
}

/** The ids of the accounts whose rates are sold by mark-ups: all but the own fleet, which has a price list. */
export async function markedUpAccounts(context: Context): Promise<readonly number[]> {
  return (await accountsOfBusiness(context)).filter(({ carrier }) => carrier !== ownFleetName).map(({ id }) => id)
}

/** The name of the carrier of an account of the caller's business. Refuses with `carrier_account_not_found`. */
export async function carrierOf(context: Context, accountId: number): Promise<string> {
  return (await loadCarrierAccount(context, accountId)).state.carrier
}

/** A carrier and one of its ways of shipping, as people know them; by their names here if it is not installed any more. */
export async function wayOf(context: Context, name: string, code: string) {
  const carrier = await carrierNamed(context, name)
  return {
    carrierTitle: carrier?.title ?? name,
    serviceName: carrier?.services.find((service) => service.code === code)?.name ?? code,
    isSample: carrier?.isSample === true,
    hasDocuments: carrier?.document !== undefined,
    hasPickups: carrier?.pickup !== undefined,
    isOwnFleet: name === ownFleetName,
  }
}

/** Asks the carrier of an account of the caller's business. */
export async function askAccountNamed<Method extends CarrierMethod>(
  context: Context,
  accountId: number,
  method: Method,
  input: CarrierInputs[Method],
  deadline: number,
): Promise<CarrierOutcome<Method>> {
  return askAccount(context, (await loadCarrierAccount(context, accountId)).state, method, input, deadline)
}

/** Milliseconds that a carrier has to read what it sent. */
const receiveDeadline = 5_000

/**
 * What a request says that the carrier of an account has signed. Whatever is wrong with it is `undefined`, as for an account that
 * does not exist: who asks must not learn which accounts there are.
 */
export async function received(context: Context, accountId: number, request: CarrierInputs['receive']) {
  const account = await findCarrierAccount(context, accountId)
  if (account === undefined) return undefined
  const asking = {
    ...context,
    caller: { ...context.caller, kind: 'operator', businessId: account.businessId } as const,
  }
  if ((await carrierNamed(asking, account.carrier))?.receive === undefined) return undefined
  const outcome = await askAccount(asking, account, 'receive', request, receiveDeadline)
  return outcome.kind === 'answered' ? outcome.answer : undefined
}
