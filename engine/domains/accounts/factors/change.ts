import type { Context } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import type { Answer } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { type AccountState, accountStream, accounts } from '../account.ts'
import { accountStateOf, load } from '../read.ts'
import { type Session, sessions } from '../session.ts'
import { newSession, sessionOf } from '../sign-in.ts'
import { type FactorCommand, type Factors, factorStream, factorsOf } from './factors.ts'

/** A session to start: its appends, and the answer with its token. */
interface Started {
  readonly appends: readonly Append[]
  readonly answer: Answer
}

/** Who changes the second factors of an account, and how the sign-in goes on when all its sessions have ended. */
export interface Changer {
  readonly account: AccountState
  readonly by: number | null
  restart?(account: AccountState): Promise<Started>
}

/** Milliseconds after a sign-in in which its session may change how the account signs in. */
const recent = 15 * 60_000

/**
 * The caller, who has signed in a moment ago: a session that was left open, or stolen, changes no second factor. Refuses with
 * `sign_in_again`.
 */
export async function recentCaller(context: Context): Promise<Changer & { readonly by: number }> {
  const { store, clock } = context
  const stream = sessionOf(context)
  const { state } = await load(store, sessions, stream)
  const account = state && (await accountStateOf(context, state.accountId))
  if (state === undefined || account === undefined || account.generation !== state.generation)
    throw new EngineError('unauthenticated')
  if (clock() - Date.parse(state.signedInAt) > recent) throw new EngineError('sign_in_again')
  return { account, by: account.account_id, restart: async (next) => goOn(context, next, state, stream) }
}

/** The same sign-in with a new token. */
function goOn(context: Context, account: AccountState, session: Session, stream: Append['stream']) {
  const { app, origin = stream, signedInAt, signOn } = session
  const { append, answer } = newSession(context, account, { app, origin, signedInAt, signOn })
  return { appends: [append], answer }
}

/** What a change has made of the second factors of an account. */
interface Changed {
  readonly after: Factors
  readonly account: AccountState
  /** Of the session that goes on, if all had to end. */
  readonly session?: Answer
}

/**
 * Changes the second factors of an account as it was read. With the first factor, or without the last one, all its sessions
 * end in the same transaction, so that none is left that began by a lesser proof. So is what `beside` appends to streams of
 * others.
 */
export async function changeFactors(
  context: Context,
  { account: read, by, restart }: Changer,
  commandsFor: (factors: Factors, account: AccountState) => Promise<readonly FactorCommand[]>,
  beside: () => Promise<readonly Append[]> = async () => [],
): Promise<Changed> {
  const { store, clock } = context
  const { account_id, generation } = read
  return retryOnConflict(async () => {
    const stream = accountStream(account_id)
    const loaded = await load(store, accounts, stream)
    if (loaded.state === undefined) throw new EngineError('account_not_found')
    if (by === account_id && loaded.state.generation !== generation) throw new EngineError('unauthenticated')
    const factors = await load(store, factorsOf, factorStream(account_id))
    const { events, after } = decidedAll(factors.state, await commandsFor(factors.state, loaded.state))
    const turn = { type: 'SetSecondFactor', at: isoOf(clock()), by, is_on: after.list.length > 0 } as const
    const turned = accounts.decide(turn, loaded.state)
    const account = fold(accounts, turned, loaded.state) ?? read
    const started = turned.length === 0 ? undefined : await restart?.(account)
    const appends = [
      { stream: factorStream(account_id), events: events.map(toNewEvent(context)), expected: factors.expected },
      { stream, events: turned.map(toNewEvent(context)), expected: loaded.expected },
      ...(started?.appends ?? []),
      ...(await beside()),
    ]
    const joined = joinedByStream(appends).filter((append) => append.events.length > 0)
    if (joined.length > 0) await store.appendMany(joined)
    return { after, account, ...(started && { session: started.answer }) }
  })
}

/** One append for each stream: the sign-in that goes on may bind an identity to the account that changes. */
function joinedByStream(appends: readonly Append[]): readonly Append[] {
  const joined = new Map<Append['stream'], Append>()
  for (const append of appends) {
    const before = joined.get(append.stream)
    joined.set(append.stream, before ? { ...before, events: [...before.events, ...append.events] } : append)
  }
  return [...joined.values()]
}

/** The events of commands, each of which sees what those before it have made. */
function decidedAll(factors: Factors, commands: readonly FactorCommand[]) {
  let after = factors
  const events = commands.flatMap((command) => {
    const made = factorsOf.decide(command, after)
    after = fold(factorsOf, made, after)
    return made
  })
  return { events, after }
}
