import type { Metadata } from '@grpc/grpc-js'
import { accessProblem, leaderProblem } from './access.ts'
import { decide, type Expected } from './decide.ts'
import { type Proposed, type Recorded, write } from './log.ts'
import type { Node } from './node.ts'
import type { Reason } from './refusals.ts'
import { stateOf, undelete } from './stream.ts'

const defaultMaxAppendSize = 1_048_576

/** An append, from either of the two calls that bring one. */
export interface AppendCall {
  readonly stream: string
  readonly expected: Expected
  /** An event is `undefined` where its id is no UUID. */
  readonly events: readonly (Proposed | undefined)[]
  readonly metadata: Metadata
  /** Milliseconds since 1970, by the caller's clock. */
  readonly deadline?: number
}

/** The last event of what was appended (now or before), a refusal, or silence. */
export type AppendAnswer =
  | { readonly kind: 'appended'; readonly last: Recorded }
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'silent' }

/** Does one append as the server does it, faults included. */
export async function append(node: Node, call: AppendCall): Promise<AppendAnswer> {
  const end = node.conditions.tally.begin(`append ${call.stream}`)
  await node.conditions.ready('write')
  end()
  const fate = node.conditions.nextAppend()
  if (fate === 'lost' || !node.running()) return { kind: 'silent' }
  const answer = appendNow(node, call)
  return fate === 'unanswered' ? { kind: 'silent' } : answer
}

function appendNow(node: Node, call: AppendCall): AppendAnswer {
  const { stream, expected } = call
  const events = call.events.filter((event) => event !== undefined)
  const problem = problemOf(node, call, events)
  if (problem !== undefined) return { kind: 'refused', reason: problem }
  const decision = decide(node.log, stream, expected, events, node.knownSince)
  switch (decision.kind) {
    case 'new': {
      const wasDeleted = stateOf(node.log, stream) === 'deleted'
      const last = write(node.log, stream, events, node.conditions.now())
      const first = last.revision - BigInt(events.length - 1)
      if (wasDeleted) undelete(node.log, stream, first, node.conditions.now())
      return { kind: 'appended', last }
    }
    case 'repeated':
      return { kind: 'appended', last: decision.last }
    case 'conflict':
      return { kind: 'refused', reason: { ...decision, expected, stream } }
    case 'deleted':
      return { kind: 'refused', reason: { ...decision, stream } }
  }
}

function problemOf(node: Node, call: AppendCall, events: readonly Proposed[]): Reason | undefined {
  const { conditions, options } = node
  const limit = options.maxAppendSize ?? defaultMaxAppendSize
  const access = accessProblem(node, call.metadata, call.stream) ?? leaderProblem(node)
  if (access !== undefined) return access
  if (call.deadline !== undefined && call.deadline <= conditions.now()) return { kind: 'timeout' }
  if (events.length < call.events.length) return { kind: 'invalid', message: 'An event id is not a UUID.' }
  if (events.length === 0) return { kind: 'invalid', message: 'There is nothing to append.' }
  if (sizeOf(events) > limit) return { kind: 'too-large', limit }
  return refusalOf(node)
}

/** The refusal that was ordered, in the words of a real server. */
function refusalOf({ conditions }: Node): Reason | undefined {
  const refusal = conditions.refusal()
  if (refusal === undefined) return undefined
  return { kind: ({ full: 'busy', timeout: 'timeout', unavailable: 'not-ready' } as const)[refusal] }
}

/** Bytes on disk: types are stored with two bytes a character. */
function sizeOf(events: readonly Proposed[]): number {
  return events.reduce((sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length, 0)
}
