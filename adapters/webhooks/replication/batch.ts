import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { attemptPhases, isObject, type PhaseTimes } from '../../../engine/index.ts'
import type { CopiedAttempt, DeliveryChange, NewDelivery, Sealer } from '../../node/deliveries.ts'

/** A delivery that is sent again: the other nodes make it of the same original. */
interface Redelivery {
  readonly kind: 'redelivery'
  readonly delivery: Pick<NewDelivery, 'id' | 'businessId' | 'dueAt'> & {
    readonly of: string
    readonly createdAt: number
    readonly endpoint: Pick<NewDelivery['endpoint'], 'format' | 'standard' | 'isInOrder'>
  }
}

/** A change as the journal has it: nothing that tells of people, except in what was never derived from an event. */
export type JournalChange = DeliveryChange | Redelivery

/** A record of the journal. */
export interface Batch {
  /** The node that wrote it, which has made these changes. */
  readonly by: string
  /** Position of the last event that the changes may follow from. */
  readonly through: string
  readonly changes: readonly JournalChange[]
}

/** The short form of the change that is by far the most frequent one. */
type AttemptForm = readonly [
  id: string,
  state: Extract<DeliveryChange, { readonly kind: 'attempt' }>['state'],
  number: number,
  startedAt: number,
  duration: number,
  status: number | null,
  failure: Exclude<CopiedAttempt['failure'], undefined> | null,
  dueAt: number | null,
  earlier: number,
  /** By phase, in their order; absent in what versions wrote that did not measure them. */
  phases?: readonly (number | null)[],
  failedPhase?: Exclude<CopiedAttempt['failedPhase'], undefined> | null,
]

/** Bytes that a record may have when it is inflated. */
const maxBytes = 64 * 1024 * 1024

/** Compresses and seals a batch. */
export function textOf({ by, through, changes }: Batch, box: Sealer): string {
  const form = JSON.stringify([by, through, changes.map(formOf)])
  return Buffer.from(box.seal(deflateRawSync(form))).toString('base64')
}

/** Reads what `textOf` wrote. */
export function batchIn(text: string, box: Sealer): Batch {
  const bytes = inflateRawSync(box.open(Buffer.from(text, 'base64')), { maxOutputLength: maxBytes })
  const [by, through, forms] = JSON.parse(bytes.toString()) as [string, string, readonly (AttemptForm | object)[]]
  return { by, through, changes: forms.map(changeIn) }
}

function formOf(change: JournalChange): AttemptForm | object {
  if (change.kind === 'attempt') {
    const { id, state, attempt, dueAt, earlier = 0 } = change
    const { number, startedAt, duration, status, failure, phases, failedPhase = null } = attempt
    const times = [number, startedAt, Math.round(duration)] as const
    const due = dueAt === undefined ? null : Math.trunc(dueAt)
    const short = [id, state, ...times, status ?? null, failure ?? null, due, earlier] as const
    return phases === undefined ? short : [...short, attemptPhases.map((phase) => phases[phase] ?? null), failedPhase]
  }
  if (change.kind !== 'add') return change
  const { body, native, ...delivery } = change.delivery
  return { kind: 'add', delivery: { ...delivery, body: base64(body), native: base64(native) } }
}

function changeIn(form: AttemptForm | object): JournalChange {
  if (isAttempt(form)) {
    const [id, state, number, startedAt, duration, status, failure, dueAt, earlier, phases, failedPhase = null] = form
    const answer = { ...(status === null ? {} : { status }), ...(failure === null ? {} : { failure }) }
    const measured = {
      ...(phases === undefined ? {} : { phases: timesIn(phases) }),
      ...(failedPhase === null ? {} : { failedPhase }),
    }
    const attempt = { number, startedAt, duration, ...answer, ...measured }
    return { kind: 'attempt', id, state, attempt, earlier, ...(dueAt === null ? {} : { dueAt }) }
  }
  const change = form as JournalChange
  if (change.kind !== 'add' || !isObject(change.delivery)) return change
  const { body, native } = change.delivery as unknown as { readonly body: string; readonly native: string }
  return { kind: 'add', delivery: { ...change.delivery, body: bytesIn(body), native: bytesIn(native) } }
}

function timesIn(phases: readonly (number | null)[]): PhaseTimes {
  return Object.fromEntries(
    attemptPhases.flatMap((phase, place) => (typeof phases[place] === 'number' ? [[phase, phases[place]]] : [])),
  )
}

function isAttempt(form: AttemptForm | object): form is AttemptForm {
  return Array.isArray(form)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function bytesIn(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
