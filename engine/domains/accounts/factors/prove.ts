import type { Context } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/decider.ts'
import { EngineError, isEngineError } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { sha256 } from '../../../kernel/id.ts'
import { typedCode } from '../../../kernel/short-code.ts'
import { isoOf } from '../../../kernel/time.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import type { AccountState } from '../account.ts'
import { load } from '../read.ts'
import { type FactorCommand, type Factors, factorStream, factorsOf, isAlarming, waitsUntil } from './factors.ts'
import { tellOfWrongCodes } from './notices.ts'
import { requirePasskeys } from './passkeys.ts'
import { recoveryHash } from './recovery.ts'
import type { PasskeyAnswer } from './schema.ts'

/** What somebody gives in the second step: the code of an app or a recovery code, or what a browser answered for a passkey. */
interface Proof {
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/** Under which name proofs of an account are counted. */
export function attemptsOn(account: number): string {
  return `factor\0${account}`
}

/**
 * Checks a proof and records it with what `beside` appends: what was used once is used up, whichever process sees it first,
 * because both append to the same revision. So is the challenge, which is that of the ticket. Refuses a wrong one with `wrong_code`.
 */
export async function prove<Result>(
  context: Context,
  account: AccountState,
  { proof, challenge }: { readonly proof: Proof; readonly challenge: string },
  beside: () => Promise<{ readonly appends: readonly Append[]; readonly result: Result }>,
): Promise<Result> {
  const { account_id } = account
  const found = await context.credentials.attempts.attempt(attemptsOn(account_id), context.source, () =>
    retryOnConflict(async () => {
      const stream = factorStream(account_id)
      const { state, expected } = await load(context.store, factorsOf, stream)
      const events = await decided(context, account_id, state, { proof, challenge })
      if (events === undefined) return undefined
      const factors = { stream, events: events.map(toNewEvent(context)), expected }
      if (events.some(({ type }) => type === 'CodeRefused')) {
        await context.store.appendMany([factors])
        if (isAlarming(fold(factorsOf, events, state))) tellOfWrongCodes(context, account)
        return undefined
      }
      const { appends, result } = await beside()
      await context.store.appendMany([factors, ...appends])
      return { result }
    }),
  )
  if (found === undefined) throw new EngineError('wrong_code')
  return found.result
}

/** The facts that a proof makes; undefined if it is wrong and leaves none. */
async function decided(
  context: Context,
  account_id: number,
  state: Factors,
  { proof, challenge }: { readonly proof: Proof; readonly challenge: string },
) {
  const base = { at: isoOf(context.clock()), account_id, challenge: sha256(challenge) }
  const command =
    proof.passkey === undefined
      ? await codeCommand(context, state, base, proof.code ?? '')
      : await passkeyCommand(context, state, base, { answer: proof.passkey, challenge })
  if (command === undefined) return undefined
  try {
    return factorsOf.decide(command, state)
  } catch (error) {
    if (isEngineError(error, 'wrong_code')) return undefined
    throw error
  }
}

type Base = { readonly at: string; readonly account_id: number; readonly challenge: string }

/** Six digits are the code of an app, and everything else a recovery code. */
async function codeCommand(
  { credentials, clock }: Context,
  state: Factors,
  base: Base,
  text: string,
): Promise<FactorCommand | undefined> {
  const code = typedCode(text)
  if (!/^\d{6}$/.test(code)) return { type: 'TakeRecoveryCode', ...base, hash: recoveryHash(base.account_id, code) }
  const app = state.list.find(({ kind }) => kind === 'authenticator')
  if (app?.secret === undefined) return undefined
  const isWaiting = clock() < waitsUntil(state)
  const step = isWaiting ? undefined : await credentials.authenticators.stepOf(app.secret, code, clock())
  return { type: 'TakeCode', ...base, factor_id: app.id, step }
}

async function passkeyCommand(
  context: Context,
  state: Factors,
  base: Base,
  { answer, challenge }: { readonly answer: PasskeyAnswer; readonly challenge: string },
): Promise<FactorCommand | undefined> {
  const factor = state.list.find(({ passkey }) => passkey !== undefined && passkey.credential === answer.id)
  const passkeys = requirePasskeys(context)
  if (factor?.passkey === undefined) return undefined
  const counter = await passkeys.used({ baseUrl: context.baseUrl, challenge, answer, passkey: factor.passkey })
  if (counter === undefined) return undefined
  return { type: 'TakePasskey', ...base, factor_id: factor.id, counter }
}
