import type { Context } from '../../../kernel/context.ts'
import type { Append, ExpectedRevision } from '../../../kernel/event-store.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { accountStateOf, load } from '../read.ts'
import { isOpen, type Session, type SessionCommand, sessions } from '../session.ts'
import { sessionModel, signInId } from './model.ts'

/** A session that is open. */
export interface OpenSession {
  readonly id: string
  readonly stream: StreamName
  readonly state: Session
  readonly expected: ExpectedRevision
}

/** Rows that are read at once; a program that signs in for each call has more. */
const mostRead = 1_000

/** The open sessions of an account, the latest sign-in first: at most a thousand of them. */
export async function openSessions(context: Context, account_id: number): Promise<readonly OpenSession[]> {
  const found = await stillOpen(context, account_id, await namesFrom(context, account_id, 0))
  return found.toSorted((one, two) => (one.state.signedInAt < two.state.signedInAt ? 1 : -1))
}

/** All open sessions of an account, as many at once as are read. */
export async function* allOpenSessions(context: Context, account_id: number): AsyncGenerator<readonly OpenSession[]> {
  const parts: (readonly StreamName[])[] = []
  // First their names: those that have ended leave the list.
  do parts.push(await namesFrom(context, account_id, parts.length * mostRead))
  while (parts.at(-1)?.length === mostRead)
  for (const names of parts) yield stillOpen(context, account_id, names)
}

async function namesFrom({ models, clock }: Context, account_id: number, offset: number) {
  const between = { expires_at: [isoOf(clock()), undefined] } as const
  const where = { account_id, state: 'open' }
  const { rows } = await models.page(sessionModel, { where, between, offset, limit: mostRead })
  return rows.map(({ session }) => String(session) as StreamName)
}

async function stillOpen(
  context: Context,
  account_id: number,
  names: readonly StreamName[],
): Promise<readonly OpenSession[]> {
  const { store, clock, sessionDays } = context
  const account = await accountStateOf(context, account_id)
  if (account === undefined) return []
  const found = await Promise.all(
    names.map(async (stream) => {
      const { state, expected } = await load(store, sessions, stream)
      const isValid = state !== undefined && isOpen(state, account.generation, clock(), sessionDays)
      return isValid ? [{ id: signInId(state.origin ?? stream), stream, state, expected }] : []
    }),
  )
  return found.flat()
}

/** The append that a command makes of a session; it has no events if the session stays as it is. */
export function changedSession(
  context: Context,
  { stream, state, expected }: Pick<OpenSession, 'stream' | 'expected'> & { readonly state: Session | undefined },
  command: SessionCommand,
): Append {
  return { stream, events: sessions.decide(command, state).map(toNewEvent(context)), expected }
}
