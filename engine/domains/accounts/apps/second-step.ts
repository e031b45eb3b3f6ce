import type { Context } from '../../../kernel/context.ts'
import { EngineError, isRefusal } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import type { Answer } from '../../../kernel/operation.ts'
import type { AccountState } from '../account.ts'
import { accountBoundTo, signedOnAccount } from '../bound.ts'
import { originOf } from '../origin.ts'
import { begunAt, type Ticket } from '../second-step.ts'
import { newSession } from '../sign-in.ts'
import { contextFor, newAppSession, requireAdmitted } from './sign-in.ts'

/**
 * The session of a sign-in whose second step was right: in the app of the first one, if it was in an app. An identity without
 * an app is that of a single sign-on; its session counts from the first step, as the provider counts it.
 */
export async function finishSignIn(
  context: Context,
  account: AccountState,
  ticket: Ticket,
): Promise<{ readonly appends: readonly Append[]; readonly answer: Answer }> {
  const { app: device, identity } = ticket
  if (device === undefined) {
    const appends =
      identity === undefined ? [] : await boundTo(account, signedOnAccount(context, account.business_id, identity))
    const origin = identity && { signOn: originOf(context, identity), signedInAt: begunAt(ticket) }
    const { append, answer } = newSession(context, account, origin)
    return { appends: [...appends, append], answer }
  }
  const found = await contextFor(context, device, device.method)
  requireAdmitted(found, account)
  const appends = identity === undefined ? [] : await boundTo(account, accountBoundTo(context, identity))
  const { append, answer } = newAppSession(context, found, device, account)
  return { appends: [...appends, append], answer }
}

/** The events that bind an identity to an account; refuses one that is no longer what it was at the first step. */
async function boundTo(
  { account_id }: AccountState,
  finding: ReturnType<typeof accountBoundTo>,
): Promise<readonly Append[]> {
  const { account, appends } = await finding.catch((error: unknown) => {
    throw isRefusal(error) ? new EngineError('ticket_not_valid') : error
  })
  if (account.account_id !== account_id) throw new EngineError('ticket_not_valid')
  return appends
}
