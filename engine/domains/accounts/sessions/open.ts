import type { Context } from '../../../kernel/context.ts'
import type { Append, ExpectedRevision } from '../../../kernel/event-store.ts'
import type { Query, Row } from '../../../kernel/read-model.ts'
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

/** A page of the open sessions of an account, the latest sign-in first, and how many there are. */
export async function pageOfSessions(
  context: Context,
  account_id: number,
  range: { readonly limit: number; readonly offset: number },
): Promise<{ readonly sessions: readonly OpenSession[]; readonly total: number }> {
  const generation = (await accountStateOf(context, account_id))?.generation ?? -1
  const found = await rowsOf(
    context,
    { account_id, generation },
    { ...range, orderBy: 'signed_in_at', newestFirst: true },
  )
  return { sessions: await stillOpen(context, account_id, found.names), total: found.total }
}

/** All open sessions of an account, as many at once as are read. */
export async function* allOpenSessions(context: Context, account_id: number): AsyncGenerator<readonly OpenSession[]> {
  const parts: (readonly StreamName[])[] = []
  // First their names: those that have ended leave the list.
  do parts.push(await namesFrom(context, account_id, parts.length * mostRead))
  while (parts.at(-1)?.length === mostRead)
  for (const names of parts) yield stillOpen(context, account_id, names)
}

async function namesFrom(context: Context, account_id: number, offset: number): Promise<readonly StreamName[]> {
  return (await rowsOf(context, { account_id }, { offset, limit: mostRead, uncounted: true })).names
}

async function rowsOf({ models, clock }: Context, whose: Row, range: Query) {
  const between = { expires_at: [isoOf(clock()), undefined] } as const
  const { rows, total } = await models.page(sessionModel, { where: { ...whose, state: 'open' }, between, ...range })
  return { names: rows.map(({ session }) => String(session) as StreamName), total }
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
