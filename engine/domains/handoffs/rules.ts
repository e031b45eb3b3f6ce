import type { StateOf } from '../../entity/field.ts'
import { deciderOf, type Noops, type Rules } from '../../entity/machine.ts'
import { EngineError } from '../../kernel/errors.ts'
import { printedAmount, refuseImprecise } from '../../kernel/money.ts'
import { instantOf } from '../../kernel/time.ts'
import { content, type Window } from './content.ts'
import { handoff } from './handoff.ts'

/** An order that a partner hands over. */
export type Handoff = StateOf<typeof handoff>

/** So many tracking updates a handoff has at most, and so many lines; the update that completes it is always accepted. */
export const maxEntries = 500

/** So many amendments a handoff has at most. */
export const maxAmendments = 100

const rules: Rules<typeof handoff> = {
  propose: ({ expires_at, window }, _, at) => {
    if (instantOf(expires_at) <= instantOf(at))
      throw new EngineError('expiry_too_early', { expiry: expires_at, earliest: at })
    refuseBackward(window)
    return undefined
  },
  accept: refuseLate,
  reject: refuseLate,
  cancel: refuseLate,
  propose_amendment: (changes, state) => {
    const open = state.amendments.find(({ status }) => status === 'proposed')
    if (open !== undefined)
      throw new EngineError('amendment_open', { handoff: state.handoff_id, amendment: open.amendment_id })
    if (Object.keys(content).every((name) => !Object.hasOwn(changes, name))) throw new EngineError('amendment_empty')
    refuseBackward(changes.window)
    refuseFull(state, state.amendments, maxAmendments)
    return { amendment_id: state.amendments.length + 1 }
  },
  accept_amendment: refuseSettled,
  reject_amendment: refuseSettled,
  track: ({ occurred_at, is_last }, state, at) => {
    if (!is_last) refuseFull(state, state.tracking, maxEntries)
    return { occurred_at: occurred_at ?? at }
  },
  settle: ({ amount, currency }, state) => {
    refuseImprecise(amount, currency)
    refuseFull(state, state.settlement_lines, maxEntries)
    return { line_id: state.settlement_lines.length + 1, amount: printedAmount(amount, currency) }
  },
}

const noops: Noops<typeof handoff> = {
  expire: (_, state, at) => !hasExpired(state, at),
}

/** The decider of orders that partners hand over. */
export const handoffs = deciderOf(handoff, rules, noops)

function hasExpired({ status, expires_at }: Handoff, at: string): boolean {
  return status === 'proposed' && instantOf(at) >= instantOf(expires_at)
}

/** A handoff that nobody decided in time has expired, even before that is recorded. */
function refuseLate(_: unknown, state: Handoff, at: string): undefined {
  if (hasExpired(state, at))
    throw new EngineError('handoff_has_expired', { handoff: state.handoff_id, expiry: state.expires_at })
}

function refuseBackward(window: Window | undefined): void {
  if (window !== undefined && instantOf(window.to) <= instantOf(window.from)) throw new EngineError('ends_before_start')
}

/** A limit for the parts of a handoff, because each answer contains all of them. */
function refuseFull({ handoff_id }: Handoff, held: readonly unknown[], limit: number): void {
  if (held.length >= limit) throw new EngineError('handoff_full', { handoff: handoff_id, limit })
}

function refuseSettled({ amendment_id: id }: { readonly amendment_id: number }, state: Handoff): undefined {
  const amendment = state.amendments.find(({ amendment_id }) => amendment_id === id)
  if (amendment === undefined)
    throw new EngineError('amendment_not_found', { handoff: state.handoff_id, amendment: id })
  const { status } = amendment
  if (status !== 'proposed') throw new EngineError('amendment_settled', { amendment: id, status })
}
