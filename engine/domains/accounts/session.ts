import type { Decider, Reducer } from '../../kernel/decider.ts'
import { sha256 } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { AppContext, SessionEvent } from './events.ts'

/** The stream of a token's session, named by SHA-256 so that the token itself is not stored. */
export function sessionStream(token: string): StreamName {
  return `session-${sha256(token)}`
}

/** The state of a session. */
export interface Session {
  readonly accountId: number
  readonly generation: number
  /** ISO 8601, UTC. */
  readonly expiresAt: string
  readonly isEnded: boolean
  readonly app?: AppContext | undefined
  /** The stream of the original sign-in session, if this session was created by refreshing. */
  readonly origin?: StreamName | undefined
  /** When the original sign-in was: ISO 8601, UTC. */
  readonly signedInAt: string
}

/** The commands of a session. */
export type SessionCommand =
  | {
      readonly type: 'StartSession'
      readonly at: string
      readonly expires_at: string
      readonly account_id: number
      readonly generation: number
      readonly app?: AppContext
      readonly origin?: StreamName
      readonly signed_in_at?: string
    }
  | { readonly type: 'EndSession'; readonly at: string; readonly reason: 'logout' | 'refresh' }

const evolve: Reducer<Session | undefined, SessionEvent> = (session, { type, data }) => {
  if (type === 'SessionEnded') return session && { ...session, isEnded: true }
  if (type !== 'SessionStarted') return session
  const {
    account_id: accountId,
    generation,
    expires_at: expiresAt,
    app,
    origin,
    signed_in_at: signedInAt = data.at,
  } = data
  return { accountId, generation, expiresAt, app, origin, signedInAt, isEnded: false }
}

function decide(command: SessionCommand, session: Session | undefined): readonly SessionEvent[] {
  if (command.type === 'StartSession') {
    const { type: _, ...data } = command
    return session === undefined ? [{ type: 'SessionStarted', data }] : []
  }
  const { at, reason } = command
  return session === undefined || session.isEnded ? [] : [{ type: 'SessionEnded', data: { at, reason } }]
}

/** The decider of one session. */
export const sessions: Decider<Session | undefined, SessionCommand, SessionEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

/** Whether a session is valid at an instant (epoch milliseconds), given the current generation of its account. */
export function isOpen(session: Session, generation: number, instant: number): boolean {
  return !session.isEnded && session.generation === generation && instant < Date.parse(session.expiresAt)
}
