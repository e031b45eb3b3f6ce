import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { instantOf } from '../../kernel/time.ts'
import type {
  AmendmentProposed,
  HandoffEvent,
  HandoffProposed,
  HandoffTracked,
  SettlementLineCreated,
  Told,
} from './events.ts'
import { type Amendment, evolve, type Handoff, type HandoffState } from './state.ts'
import { allowsMove, type CancellationReason, type HandoffMove, type RejectionReason } from './status.ts'

/** Who commands (null for the partner and the platform), and when (ISO 8601, UTC). */
interface Given {
  readonly at: string
  readonly by: number | null
}

type Command<Type extends string, More = object> = Given & { readonly type: Type } & More

interface Noted {
  readonly note?: string
}

/**
 * What can be asked of a handoff. Refusals: `handoff_not_found`, `handoff_status_forbids`, `handoff_has_expired` for all but
 * `ExpireHandoff` and `EraseHandoff` where nobody decided in time, and those named at each.
 */
export type HandoffCommand =
  /** `expiry_too_early` where its end does not lie ahead, `ends_before_start` where the window does. */
  | { readonly type: 'ProposeHandoff'; readonly data: HandoffProposed['data'] }
  | Command<'AcceptHandoff', { readonly order_id?: number }>
  | Command<'RejectHandoff', Noted & { readonly reason: RejectionReason }>
  /** Nothing follows before its end, nor where it was decided. */
  | Command<'ExpireHandoff'>
  | Command<'CancelHandoff', Noted & { readonly reason: CancellationReason }>
  /** `amendment_open` where one waits to be decided, `amendment_empty` where it changes nothing, `ends_before_start`, `handoff_full`. */
  | Command<'ProposeAmendment', Pick<AmendmentProposed['data'], 'window' | 'personal'>>
  /** `amendment_not_found`, and `amendment_settled` where it was decided. */
  | Command<'AcceptAmendment', { readonly amendment_id: number }>
  | Command<'RejectAmendment', Noted & { readonly amendment_id: number; readonly reason: RejectionReason }>
  /** `handoff_full`, as the one that follows. */
  | Command<
      'TrackHandoff',
      Noted & Pick<HandoffTracked['data'], 'status_code' | 'occurred_at' | 'tracking_number' | 'is_last'>
    >
  | Command<'CreateSettlementLine', Noted & Pick<SettlementLineCreated['data'], 'kind' | 'amount' | 'currency'>>
  /** Nothing follows where it was done before. */
  | Command<'EraseHandoff'>

function decide(command: HandoffCommand, state: HandoffState): readonly HandoffEvent[] {
  if (command.type === 'ProposeHandoff') return propose(command.data, state)
  if (state === undefined) throw new EngineError('handoff_not_found', { handoff: 0 })
  const { at, by } = command
  const told = { at, by, business_id: state.businessId, provider: state.provider }
  switch (command.type) {
    case 'ExpireHandoff':
      return hasExpired(state, at) ? [{ type: 'HandoffExpired', data: told }] : []
    case 'EraseHandoff':
      return state.isForgotten ? [] : [{ type: 'HandoffPersonalDataErased', data: told }]
    default:
      demand(state, moveOf(command), at)
      return [moved(command, told, state)]
  }
}

type Move = Exclude<HandoffCommand, { type: 'ProposeHandoff' | 'ExpireHandoff' | 'EraseHandoff' }>

function moveOf(command: Move): HandoffMove {
  return command.type === 'TrackHandoff' && command.is_last ? 'complete' : moves[command.type]
}

const moves: Readonly<Record<Move['type'], HandoffMove>> = {
  AcceptHandoff: 'accept',
  RejectHandoff: 'reject',
  CancelHandoff: 'cancel',
  ProposeAmendment: 'propose_amendment',
  AcceptAmendment: 'accept_amendment',
  RejectAmendment: 'reject_amendment',
  TrackHandoff: 'track',
  CreateSettlementLine: 'settle',
}

/** So many tracking updates one handoff has at most, and so many lines; the update that completes it is always taken. */
export const maxEntries = 500

/** So many amendments one handoff has at most. */
export const maxAmendments = 100

/** Who reads a handoff reads all of it: there is a limit to what it holds. */
function refuseFull({ id: handoff }: Handoff, held: readonly unknown[], limit: number): void {
  if (held.length >= limit) throw new EngineError('handoff_full', { handoff, limit })
}

/** What follows from a move that the status allows. */
function moved(command: Move, told: Told, state: Handoff): HandoffEvent {
  switch (command.type) {
    case 'AcceptHandoff': {
      const { order_id } = command
      return { type: 'HandoffAccepted', data: { ...told, ...(order_id === undefined ? {} : { order_id }) } }
    }
    case 'RejectHandoff':
      return { type: 'HandoffRejected', data: { ...told, reason: command.reason, ...noted(command, state) } }
    case 'CancelHandoff':
      return { type: 'HandoffCancelled', data: { ...told, reason: command.reason, ...noted(command, state) } }
    case 'ProposeAmendment':
      return amend(command, told, state)
    case 'AcceptAmendment':
      return { type: 'AmendmentAccepted', data: { ...told, amendment_id: open(state, command).id } }
    case 'RejectAmendment': {
      const data = { ...told, amendment_id: open(state, command).id, reason: command.reason }
      return { type: 'AmendmentRejected', data: { ...data, ...noted(command, state) } }
    }
    case 'TrackHandoff': {
      const { type: _, note: __, ...update } = command
      if (!command.is_last) refuseFull(state, state.tracking, maxEntries)
      return { type: 'HandoffTracked', data: { ...told, ...update, ...noted(command, state) } }
    }
    case 'CreateSettlementLine': {
      const { kind, amount, currency } = command
      refuseFull(state, state.lines, maxEntries)
      const data = { ...told, line_id: state.lines.length + 1, kind, amount, currency }
      return { type: 'SettlementLineCreated', data: { ...data, ...noted(command, state) } }
    }
    default:
      return command satisfies never
  }
}

function propose(data: HandoffProposed['data'], state: HandoffState): readonly HandoffEvent[] {
  if (state !== undefined) throw forbidden(state, 'propose')
  const { at, expires_at, window } = data
  if (instantOf(expires_at) <= instantOf(at))
    throw new EngineError('expiry_too_early', { expiry: expires_at, earliest: at })
  refuseBackward(window)
  return [{ type: 'HandoffProposed', data }]
}

function amend(
  { window, personal }: Extract<Move, { type: 'ProposeAmendment' }>,
  told: Told,
  state: Handoff,
): HandoffEvent {
  const standing = state.amendments.find(({ status }) => status === 'proposed')
  if (standing !== undefined) throw new EngineError('amendment_open', { handoff: state.id, amendment: standing.id })
  if (window === undefined && personal === undefined) throw new EngineError('amendment_empty')
  refuseBackward(window)
  refuseFull(state, state.amendments, maxAmendments)
  const amendment_id = state.amendments.length + 1
  // What was erased is not begun anew.
  const kept = personal === undefined || state.isForgotten ? {} : { personal }
  const data = { ...told, amendment_id, ...(window === undefined ? {} : { window }), ...kept }
  return { type: 'AmendmentProposed', data }
}

function open(state: Handoff, { amendment_id }: { readonly amendment_id: number }): Amendment {
  const amendment = state.amendments.find(({ id }) => id === amendment_id)
  if (amendment === undefined)
    throw new EngineError('amendment_not_found', { handoff: state.id, amendment: amendment_id })
  const { status } = amendment
  if (status !== 'proposed') throw new EngineError('amendment_settled', { amendment: amendment_id, status })
  return amendment
}

function refuseBackward(window: AmendmentProposed['data']['window']): void {
  if (window !== undefined && instantOf(window.to) <= instantOf(window.from)) throw new EngineError('ends_before_start')
}

/** A note in the form of a fact; none is taken up once the handoff was erased. */
function noted({ note }: Noted, { isForgotten }: Handoff): { readonly personal?: { readonly note: string } } {
  return note === undefined || isForgotten ? {} : { personal: { note } }
}

function hasExpired({ status, expiresAt }: Handoff, at: string): boolean {
  return allowsMove(status, 'expire') && instantOf(at) >= instantOf(expiresAt)
}

/** Refuses a move that the status does not allow. What nobody decided in time has expired, whether that was recorded or not. */
function demand(state: Handoff, move: HandoffMove, at: string): void {
  if (!allowsMove(state.status, move)) throw forbidden(state, move)
  if (hasExpired(state, at))
    throw new EngineError('handoff_has_expired', { handoff: state.id, expiry: state.expiresAt })
}

function forbidden({ id, status }: Handoff, move: string): EngineError {
  return new EngineError('handoff_status_forbids', { handoff: id, status, move })
}

/** The decider of orders that partners hand over. */
export const handoffs: Decider<HandoffState, HandoffCommand, HandoffEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}
