import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import {
  type Append,
  type Appended,
  type EventStore,
  type ExpectedRevision,
  isEngineError,
  type NewEvent,
  type StreamName,
  wrongExpectedRevision,
} from '../../../engine/index.ts'
import { collect, fact, idsOf, inOrder, type Rule, type Rules } from './rules.ts'

/** What a writer is about to do: something new, the same call as before, or a mixture of that and something new. */
type Plan =
  | { readonly kind: 'new'; readonly stream: number; readonly count: number; readonly belief: Belief }
  | { readonly kind: 'again' | 'partly'; readonly earlier: number }

type Belief = 'right' | 'behind' | 'ahead' | 'no-stream' | 'stream-exists' | 'any'

/** A turn: what is sent at the same time. A history is a list of turns. */
const history: fc.Arbitrary<readonly (readonly Plan[])[]> = fc.array(
  fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('new' as const),
          stream: fc.integer({ min: 0, max: 2 }),
          count: fc.integer({ min: 1, max: 3 }),
          belief: fc.constantFrom<Belief>('right', 'right', 'behind', 'ahead', 'no-stream', 'stream-exists', 'any'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom('again' as const, 'partly' as const), earlier: fc.nat() }),
      },
    ),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 1, maxLength: 12 },
)

/** The model of a store: the ids of each stream, in order. */
type Model = ReadonlyMap<StreamName, readonly string[]>

interface Accepted {
  readonly model: Model
  /** Revision of the last event of the append. */
  readonly revision: number
}

/** The result of an append according to the port: the new model, or undefined for a conflict. */
function accept(model: Model, { stream, events, expected }: Append): Accepted | undefined {
  const stands = model.get(stream) ?? []
  const ids = idsOf(events)
  const appended = { model: new Map(model).set(stream, [...stands, ...ids]), revision: stands.length + ids.length - 1 }
  const known = ids.filter((id) => stands.includes(id))
  if (expected === 'any' || expected === 'stream-exists') {
    if (known.length === ids.length) return { model, revision: stands.indexOf(ids.at(-1) ?? '') }
    return known.length > 0 || (expected === 'stream-exists' && stands.length === 0) ? undefined : appended
  }
  const start = expected === 'no-stream' ? 0 : expected + 1
  if (start === stands.length) return appended
  const isRepetition = ids.every((id, index) => stands[start + index] === id)
  return isRepetition ? { model, revision: start + ids.length - 1 } : undefined
}

function expectedOf(belief: Belief, length: number): ExpectedRevision {
  const last: ExpectedRevision = length === 0 ? 'no-stream' : length - 1
  if (belief === 'right') return last
  if (belief === 'behind') return length < 2 ? 'no-stream' : length - 2
  return belief === 'ahead' ? length + 1 : belief
}

/** The call of a plan; `sent` are all calls before it. */
function appendOf(plan: Plan, model: Model, sent: readonly Append[], prefix: string): Append {
  const earlier = plan.kind === 'new' ? undefined : sent[plan.earlier % Math.max(1, sent.length)]
  if (plan.kind !== 'new' && earlier !== undefined) {
    return plan.kind === 'again' ? earlier : { ...earlier, events: [...earlier.events.slice(0, 1), fact()] }
  }
  const { stream: number, count, belief } = plan.kind === 'new' ? plan : { stream: 0, count: 1, belief: 'any' as const }
  const stream: StreamName = `${prefix}-${number}`
  const events: readonly NewEvent[] = Array.from({ length: count }, () => fact())
  return { stream, events, expected: expectedOf(belief, model.get(stream)?.length ?? 0) }
}

type Outcome = { readonly append: Append } & PromiseSettledResult<Appended>

/** The model after a call, where it answers as the store did. */
function step(model: Model, outcome: Outcome): Model | undefined {
  const { append } = outcome
  const accepted = accept(model, append)
  if (outcome.status === 'fulfilled') {
    return accepted?.revision === outcome.value.revision ? accepted.model : undefined
  }
  const actual = (model.get(append.stream)?.length ?? 0) - 1
  const refusal = wrongExpectedRevision(append.stream, append.expected, actual)
  const isSame = isEngineError(outcome.reason, refusal.code) && isDeepStrictEqual(outcome.reason.params, refusal.params)
  return accepted === undefined && isSame ? model : undefined
}

/** The model after concurrent calls, in any order that explains the results of the store. */
function explain(model: Model, outcomes: readonly Outcome[]): Model | undefined {
  if (outcomes.length === 0) return model
  for (const [index, outcome] of outcomes.entries()) {
    const next = step(model, outcome)
    const last = next && explain(next, outcomes.toSpliced(index, 1))
    if (last !== undefined) return last
  }
  return undefined
}

async function sendTurn(store: EventStore, model: Model, appends: readonly Append[]): Promise<Model> {
  const settled = await Promise.allSettled(
    appends.map((append) => store.append(append.stream, append.events, append.expected)),
  )
  const last = explain(
    model,
    settled.map((outcome, index): Outcome => ({ ...outcome, append: appends[index] as Append })),
  )
  assert.ok(last !== undefined, 'there is an order in which lists would answer the same')
  return last
}

const behavesLikeLists: Rule = async (t, store) => {
  let run = 0
  let after: string | undefined
  await fc.assert(
    fc.asyncProperty(history, async (turns) => {
      const prefix = `run${run++}`
      const sent: Append[] = []
      let model: Model = new Map()
      for (const turn of turns) {
        const appends = turn.map((plan) => appendOf(plan, model, sent, prefix))
        sent.push(...appends)
        model = await sendTurn(store, model, appends)
      }
      const events = await collect(store.readAll(after, { category: prefix }))
      assert.equal(events.length, [...model.values()].flat().length)
      for (const [stream, ids] of model) {
        assert.deepEqual(idsOf(await store.read(stream)), ids)
        assert.deepEqual(idsOf(events.filter((event) => event.stream === stream)), ids)
      }
      after = events.at(-1)?.position ?? after
    }),
    { numRuns: 60 },
  )
  t.ok(run >= 60)
  inOrder(t, await collect(store.readAll()))
}

/** Random histories. */
export const modelRules: Rules = {
  'given any history of right, wrong and repeated appends, when it is sent, then the store behaves like plain lists':
    behavesLikeLists,
}
