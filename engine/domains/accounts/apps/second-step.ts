import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import type { Answer } from '../../../kernel/operation.ts'
import type { AccountState } from '../account.ts'
import type { FirstStep } from '../second-step.ts'
import { newSession } from '../sign-in.ts'
import { accountBoundTo, contextFor, newAppSession, requireAdmitted } from './sign-in.ts'

/** The session of a sign-in whose second step was right: in the app of the first one, if it was in an app. */
export async function finishSignIn(
  context: Context,
  account: AccountState,
  { app: device, identity }: FirstStep,
): Promise<{ readonly appends: readonly Append[]; readonly answer: Answer }> {
  if (device === undefined) {
    const { append, answer } = newSession(context, account)
    return { appends: [append], answer }
  }
  const found = await contextFor(context, device, device.method)
  requireAdmitted(found, account)
  const bound = identity && (await accountBoundTo(context, identity))
  if (bound !== undefined && bound.account.account_id !== account.account_id) throw new EngineError('ticket_not_valid')
  const { append, answer } = newAppSession(context, found, device, account)
  return { appends: [...(bound?.appends ?? []), append], answer }
}
