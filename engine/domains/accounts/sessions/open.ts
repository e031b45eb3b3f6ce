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

/** The open sessions of an account, the latest sign-in first. */
export async function openSessions(context: Context, account_id: number): Promise<readonly OpenSession[]> {
  const { store, models, clock, sessionDays } = context
  const account = await accountStateOf(context, account_id)
  if (account === undefined) return []
  const between = { expires_at: [isoOf(clock()), undefined] } as const
  const { rows } = await models.page(sessionModel, { where: { account_id, state: 'open' }, between, limit: mostRead })
  const found = await Promise.all(
    rows.map(async ({ session }) => {
      const stream = String(session) as StreamName
      const { state, expected } = await load(store, sessions, stream)
      const isValid = state !== undefined && isOpen(state, account.generation, clock(), sessionDays)
      return isValid ? [{ id: signInId(state.origin ?? stream), stream, state, expected }] : []
    }),
  )
  return found.flat().sort((one, two) => (one.state.signedInAt < two.state.signedInAt ? 1 : -1))
}

/** Rows that are read at most; a program that signs in for each call has more. */
const mostRead = 1_000

/** The append that a command makes of a session; it has no events if the session stays as it is. */
export function changedSession(
  context: Context,
  { stream, state, expected }: Pick<OpenSession, 'stream' | 'expected'> & { readonly state: Session | undefined },
  command: SessionCommand,
): Append {
  return { stream, events: sessions.decide(command, state).map(toNewEvent(context)), expected }
}
