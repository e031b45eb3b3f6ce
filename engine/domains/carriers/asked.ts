import {
  type Carrier,
  type CarrierInputs,
  type CarrierMethod,
  type CarrierOutcome,
  ownFleetName,
} from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Code, messageOf } from '../../kernel/messages/index.ts'
import { actingFor, type CarrierAccount } from './account.ts'
import { ownFleet } from './own-fleet.ts'

/** The carrier of this name: one of the installed ones, or the business itself. Undefined if there is none, as after an uninstall. */
export async function carrierNamed(context: Context, name: string): Promise<Carrier | undefined> {
  if (name !== ownFleetName) return context.carriers.installed.find((one) => one.name === name)
  return ownFleet(context, await context.ports.carriers.ownMethods(context, actingFor(context).id))
}

/** The names of all carriers. */
export function carrierNames({ carriers }: Pick<Context, 'carriers'>): readonly string[] {
  return [ownFleetName, ...carriers.installed.map(({ name }) => name)]
}

/** Asks the carrier of an account of the caller's business; waits for the answer so many milliseconds. */
export async function askAccount<Method extends CarrierMethod>(
  context: Context,
  account: CarrierAccount,
  method: Method,
  input: CarrierInputs[Method],
  deadline: number,
): Promise<CarrierOutcome<Method>> {
  const carrier = await carrierNamed(context, account.carrier)
  if (carrier === undefined) return { kind: 'failed', failure: 'broken' }
  const { businessId: business, credentials } = account
  const currency = (await context.directory.business(context, business))?.currency
  if (currency === undefined) throw new EngineError('business_not_found')
  return context.carriers.ask(carrier, method, input, { business, credentials, currency, deadline })
}

const failureCodes = {
  timed_out: 'carrier_timed_out',
  broken: 'carrier_broken',
  wrong_answer: 'carrier_wrong_answer',
  too_busy: 'carrier_too_busy',
} as const satisfies Readonly<Record<string, Code>>

/** Codes of what a carrier did not do. */
export const unansweredCodes = ['carrier_refused', ...Object.values(failureCodes)] as const

/**
 * Why a carrier did not do what was asked, in the language of the caller. A refusal has the carrier's own reason; customers get its
 * code alone, because what the carrier says may tell of the account of the business.
 */
export function reasonOf(
  { messages, caller }: Pick<Context, 'messages' | 'caller'>,
  outcome: Exclude<CarrierOutcome<CarrierMethod>, { readonly kind: 'answered' }>,
) {
  if (outcome.kind === 'failed') {
    const code = failureCodes[outcome.failure]
    return { code, message: messageOf(code, {}, messages) }
  }
  const { code: refusal, message } = outcome.refusal
  const reason = caller.account?.role === 'customer' ? refusal.replaceAll('_', ' ') : message
  return { code: 'carrier_refused', refusal, message: messageOf('carrier_refused', { reason }, messages) } as const
}
