import { staff } from '../../kernel/account.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isoOf } from '../../kernel/time.ts'
import type { AccountState } from './account.ts'
import type { SecondFactorRule } from './events.ts'
import { type Factors, factorStream, factorsOf } from './factors/factors.ts'
import { passkeysOf } from './factors/passkeys.ts'
import { type FirstStep, sealTicket } from './factors/ticket.ts'
import { businessOf, load } from './read.ts'

export { begunAt, type Ticket } from './factors/ticket.ts'

/** The refusals of a sign-in of which the first step was right. */
export const secondStepRefusals = ['second_factor_required', 'second_factor_setup_required'] as const

/**
 * Lets a sign-in pass of which the first step was right, if that is enough. Refuses it with `second_factor_required`, or with
 * `second_factor_setup_required` if the business asks for a factor that the account does not have; both hand over a ticket.
 */
export async function requireSecondStep(context: Context, account: AccountState, first: FirstStep = {}): Promise<void> {
  if (account.has_second_factor === true) {
    const { state } = await load(context.store, factorsOf, factorStream(account.account_id))
    const { text: ticket } = sealTicket(context, 'second', account, first)
    throw new EngineError('second_factor_required', {}, [], { ticket, methods: methodsOf(context, state) })
  }
  if (!(await needsFactor(context, account))) return
  const { text: ticket } = sealTicket(context, 'set_up', account, first)
  throw new EngineError('second_factor_setup_required', { url: `${context.baseUrl}/account` }, [], { ticket })
}

/** A way to prove that one is the owner of an account. */
type Method = 'authenticator' | 'passkey' | 'recovery_code'

/** What an account has, and this server can check. */
function methodsOf(context: Context, { list, codes }: Factors): readonly Method[] {
  const has = (kind: string) => list.some((factor) => factor.kind === kind)
  return [
    ...(has('authenticator') ? (['authenticator'] as const) : []),
    ...(has('passkey') && passkeysOf(context) !== undefined ? (['passkey'] as const) : []),
    ...(codes.size > 0 ? (['recovery_code'] as const) : []),
  ]
}

/** Whether the business of an account asks for a second factor of it, at this moment. */
export async function needsFactor(context: Context, account: AccountState): Promise<boolean> {
  const rule = await ruleFor(context, account)
  return rule !== undefined && (rule.required_from ?? '') <= isoOf(context.clock())
}

/** The rule by which the business of an account asks for a second factor of it, now or later; undefined where it does not. */
export async function ruleFor(
  context: Context,
  { role, business_id }: AccountState,
): Promise<SecondFactorRule | undefined> {
  const rule = staff.includes(role) ? (await businessOf(context, business_id))?.secondFactorRule : undefined
  return rule?.required_of === 'staff' ? rule : undefined
}
