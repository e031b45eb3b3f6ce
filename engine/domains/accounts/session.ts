import type { SessionDays } from '../../kernel/context.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { sha256 } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { AppContext, SessionEnd, SessionEvent, SessionPlace, SignOnOrigin } from './events.ts'

/** The stream of a token's session, named by SHA-256 so that the token itself is not stored. */
export function sessionStream(token: string): StreamName {
  return `session-${sha256(token)}`
}

const day = 86_400_000

/** Validity of tokens in milliseconds: 12 hours, and 30 days in apps. */
export const lifetime = { plain: day / 2, app: 30 * day }

/** Days after a sign-in when its sessions end for good, if the operator does not say: then people sign in again. */
export const defaultSessionDays: SessionDays = { plain: 30, app: 90 }

/** When all sessions of a sign-in have ended, in epoch milliseconds. */
export function lastEnd(signedIn: number, app: AppContext | undefined, days: SessionDays = defaultSessionDays): number {
  return signedIn + days[app === undefined ? 'plain' : 'app'] * day
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
  readonly signOn?: SignOnOrigin | undefined
  readonly place: SessionPlace
  readonly isErased: boolean
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
      readonly sign_on?: SignOnOrigin
      readonly personal?: SessionPlace
    }
  | { readonly type: 'EndSession'; readonly at: string; readonly reason: SessionEnd }
  | { readonly type: 'EraseSession'; readonly at: string }

const evolve: Reducer<Session | undefined, SessionEvent> = (session, { type, data }) => {
  if (type === 'SessionEnded') return session && { ...session, isEnded: true }
  if (type === 'SessionErased') return session && { ...session, place: {}, isErased: true }
  if (type !== 'SessionStarted') return session
  const {
    account_id: accountId,
    generation,
    expires_at: expiresAt,
    app,
    origin,
    signed_in_at: signedInAt = data.at,
    sign_on: signOn,
    personal: place = {},
  } = data
  return { accountId, generation, expiresAt, app, origin, signedInAt, signOn, place, isEnded: false, isErased: false }
}

function decide(command: SessionCommand, session: Session | undefined): readonly SessionEvent[] {
  if (command.type === 'StartSession') {
    const { type: _, ...data } = command
    return session === undefined ? [{ type: 'SessionStarted', data }] : []
  }
  if (command.type === 'EraseSession')
    return session === undefined || session.isErased ? [] : [{ type: 'SessionErased', data: { at: command.at } }]
  const { at, reason } = command
  return session === undefined || session.isEnded ? [] : [{ type: 'SessionEnded', data: { at, reason } }]
}

/** The decider of one session. */
export const sessions: Decider<Session | undefined, SessionCommand, SessionEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

/**
 * Whether a session is valid at an instant (epoch milliseconds), given the current generation of its account and how long
 * sessions last at most.
 */
export function isOpen(session: Session, generation: number, instant: number, days?: SessionDays): boolean {
  const { isEnded, expiresAt, signedInAt, app } = session
  const end = Math.min(Date.parse(expiresAt), lastEnd(Date.parse(signedInAt), app, days))
  return !isEnded && session.generation === generation && instant < end
}
