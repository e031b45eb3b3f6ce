import type { MoveOf, StateOf } from '../../entity/field.ts'
import { deciderOf, type MoveCommand, type Noops, type Rules, type Step, type Steps } from '../../entity/machine.ts'
import { refundSteps } from '../../entity/paying.ts'
import { EngineError } from '../../kernel/errors.ts'
import { isSameText, requireUnlocked } from '../../kernel/short-code.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import { billOf, deviceOrder, type Kind, type NextActor } from './device-order.ts'

/** A stay in a machine. */
export type DeviceOrder = StateOf<typeof deviceOrder>

/** A request to move a device order. */
export type DeviceOrderCommand = MoveCommand<MoveOf<typeof deviceOrder>>

/** The default next actors: who puts it in, and who takes it out. */
const actors: Readonly<Record<Kind, { readonly depositor: NextActor; readonly collector: NextActor }>> = {
  delivery: { depositor: 'courier', collector: 'recipient' },
  send: { depositor: 'recipient', collector: 'courier' },
  return: { depositor: 'recipient', collector: 'courier' },
  storage: { depositor: 'recipient', collector: 'recipient' },
  relay: { depositor: 'courier', collector: 'courier' },
}

/** How long something may stay where nobody says until when, in milliseconds: 72 hours. */
const defaultStay = 72 * 3_600_000

const steps: Steps<typeof deviceOrder> = {
  store: ({ code_hash, ...values }) => [
    ['store', values],
    ['issue_code', { code_hash }],
  ],
  collect: ({ code_hash, is_staff }, state, at) => {
    if (code_hash === undefined) {
      if (!is_staff || state.device_type !== 'smart_drop') throw new EngineError('pickup_code_required')
    } else {
      requireUnlocked(state.attempts, at)
      if (!isSameText(String(code_hash), state.code_hash ?? '')) return [['refuse_code']]
    }
    return [...endOfOverdue(state, 'collected'), ['collect']]
  },
  cancel: (_, state) => [...refundSteps(state, billOf(state)), ['cancel']],
  remove: (values, state) => [...endOfOverdue(state, 'removed'), ['remove', values]],
  become_overdue: () => [['become_overdue'], ['open_exception', { type: 'overdue' }]],
}

/** The end of a stay also records that it was overdue. This event comes first, because nothing counts after the end. */
function endOfOverdue({ exceptions }: DeviceOrder, resolution_action: string): readonly Step<typeof deviceOrder>[] {
  return exceptions
    .filter(({ type, status }) => type === 'overdue' && status === 'open')
    .map(({ exception_id }) => ['resolve_exception', { exception_id, resolution_action }])
}

const rules: Rules<typeof deviceOrder> = {
  create: ({ kind, due_at, next_actor = actors[kind].depositor }, _, at) => {
    if (due_at) requireLater(due_at, at)
    return { next_actor }
  },
  store: ({ due_at, next_actor }, state, at) => {
    const due = due_at ?? state.due_at ?? isoOf(instantOf(at) + defaultStay)
    requireLater(due, at)
    return { due_at: due, next_actor: next_actor ?? actors[state.kind].collector }
  },
  open_exception: ({ severity = 'medium' }, { exceptions }) => ({ exception_id: exceptions.length + 1, severity }),
  resolve_exception: settle,
  dismiss_exception: settle,
}

function requireLater(due: string, at: string): void {
  if (instantOf(due) <= instantOf(at)) throw new EngineError('due_too_early', { due })
}

function settle({ exception_id }: { readonly exception_id: number }, state: DeviceOrder): undefined {
  const { device_order_id: order, exceptions } = state
  const found = exceptions.find((one) => one.exception_id === exception_id)
  if (found === undefined) throw new EngineError('device_exception_not_found', { order, exception: exception_id })
  if (found.status !== 'open') throw new EngineError('device_exception_settled', { order, exception: exception_id })
}

/** The clock may look too early, and after something else was done. */
const noops: Noops<typeof deviceOrder> = {
  become_overdue: (_, { status, due_at }, at) =>
    status !== 'stored' || due_at === undefined || instantOf(at) < instantOf(due_at),
}

/** The decider of one device order. */
export const deviceOrders = deciderOf(deviceOrder, rules, noops, steps)
