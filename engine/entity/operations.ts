import * as v from 'valibot'
import type { Context } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { NewEvent } from '../kernel/event.ts'
import type { Append } from '../kernel/event-store.ts'
import type { Code } from '../kernel/messages/index.ts'
import { named } from '../kernel/named.ts'
import { type Operation, operation } from '../kernel/operation.ts'
import type { ReadModel } from '../kernel/read-model.ts'
import { isoOf } from '../kernel/time.ts'
import { execute, retryOnConflict } from '../store/execute.ts'
import { nextNumbers } from '../store/sequence.ts'
import { toNewEvent } from '../store/to-new-event.ts'
import {
  businessCallerOf,
  findStream,
  type Kind,
  loadEntity,
  loadOwn,
  ownId,
  requireFields,
  streamOf,
  viewOf,
} from './access.ts'
import type { Api, Entity, Listed, Move, MoveCall, MoveOf, StateOf, Values } from './field.ts'
import { described, idsIn, inputEntries, storedValues } from './input.ts'
import { type EntityEvent, type MoveCommand, ofOne } from './machine.ts'
import {
  apiOf,
  callersIn,
  type Door,
  entryErrors,
  familyOf,
  getOperation,
  idEntry,
  listOperation,
  recordAnswer,
  statusAnswer,
  statusOf,
} from './reading.ts'
import { firstMove, recordName, recordOf } from './record.ts'

/** What is special about a move of an entity, before it is decided: checks that refuse it, and the values that the engine sets. */
type Preparation = (context: Context, input: Values, state: Values) => Promise<Values | undefined>

/** An entity, its decider and what is special about its moves. */
export interface Machine<E extends Entity = Entity> extends Kind<E> {
  readonly decider: Decider<StateOf<E> | undefined, MoveCommand<MoveOf<E>>, EntityEvent>
  readonly prepare: { readonly [Name in MoveOf<E>]?: Preparation }
  /** What the operation of a move answers beside the id and the status. It may refuse by what was recorded. */
  readonly answer?: { readonly [Name in MoveOf<E>]?: (made: MoveResult<E>) => Values }
  /** What a move appends to other streams in the same transaction, or refuses because of them; `state` is the entity after its events. */
  readonly beside?: {
    readonly [Name in MoveOf<E>]?: (
      context: Context,
      state: StateOf<E>,
      events: readonly NewEvent<EntityEvent>[],
    ) => Promise<readonly Append[]>
  }
  /** Records a new entity and answers its id, if that takes more than the first event of its own stream. */
  create?(context: Context, values: Values): Promise<number>
  /**
   * What is done outside of the house once a move is recorded (`Operation.settle`); the caller is answered after it. It may refuse by
   * what came of it.
   */
  readonly settle?: { readonly [Name in MoveOf<E>]?: (context: Context, id: number) => Promise<void> }
}

/** What a move has made: its events, the entity after it, and the values that were given or prepared. */
export interface MoveResult<E extends Entity = Entity> {
  readonly events: readonly EntityEvent[]
  readonly state: StateOf<E>
  readonly values: Values
}

function callOf(move: Move | undefined, door: Door): MoveCall | undefined {
  return door === 'api' ? move?.call : move?.providerCall
}

/** The operations of an entity: those of its moves, one that lists and one that reads it. */
export function operationsOf<E extends Entity>(
  machine: Machine<E>,
  model: ReadModel,
  door: Door = 'api',
): readonly Operation[] {
  const calls = new Map<string, readonly MoveOf<E>[]>()
  for (const [name, move] of Object.entries(machine.entity.moves)) {
    const call = callOf(move, door)
    if (call !== undefined && call.pays === undefined && move.from !== 'nothing')
      calls.set(call.operation, [...(calls.get(call.operation) ?? []), name])
  }
  return [
    ...createOperation(machine, door),
    listOperation(machine, model, door),
    ...getOperation(machine, door),
    ...[...calls.values()].map((moves) => moveOperation(machine, moves, door)),
  ]
}

/** The operation of a move, or of several that what they `say` tells apart. */
function moveOperation<E extends Entity>(machine: Machine<E>, names: readonly MoveOf<E>[], door: Door): Operation {
  const { entity } = machine
  const moves = names.map((name) => entity.moves[name] as Move)
  const [{ from, erases }] = moves as [Move]
  const call = callOf(moves[0], door) as MoveCall
  const { errors = [], verb } = call
  const { missing, forbidden } = entity.refusals
  const api = apiOf(entity, door)
  const chosenBy = (input: Values) =>
    names.find((name) => isChosen(entity.moves[name] as Move, input)) ?? (names[0] as MoveOf<E>)
  return operation({
    ...callEntries(api, call),
    input: v.strictObject({
      ...idEntry(entity),
      ...choiceEntries(entity, moves),
      ...call.asks,
      ...Object.assign({}, ...names.map((name) => inputEntries(entity, name))),
    }),
    output: answerSchema(entity, api, call),
    errors: [
      ...entryErrors(api),
      missing,
      ...(from === 'any' ? [] : [forbidden]),
      ...(erases ? (['erasure_unfinished'] satisfies Code[]) : []),
      ...errors,
    ],
    rest: { method: 'POST', path: `${api.path}/{${entity.id}}/${verb}` },
    ids: Object.assign({ [entity.id]: ownId(machine) }, ...names.map((name) => idsIn(entity, name))),
    requireFields: (context, input: Values) => requireFields(context, entity, chosenBy(input), input),
    handle: (context, { [entity.id]: id, ...input }: Values) => {
      const { hidesStatus } = call
      return runMove(context, machine, { id: Number(id), move: chosenBy(input), input, api, hidesStatus })
    },
    ...settling(machine, api, names[0] as MoveOf<E>),
  })
}

/** What a call does outside of the house, and the answer as it is then. */
function settling<E extends Entity>(machine: Machine<E>, api: Api, move: MoveOf<E>): Pick<Operation, 'settle'> {
  const { entity } = machine
  const settle = machine.settle?.[move]
  if (settle === undefined) return {}
  return {
    settle: async (context, answer) => {
      const id = Number(answer[entity.id])
      await settle(context, id)
      return { ...answer, ...answerOf(context, entity, api, (await loadOwn(context, machine, id)).state) }
    },
  }
}

/** The members of a request that tell the moves of one operation apart. */
function choiceEntries({ fields }: Entity, moves: readonly Move[]): v.ObjectEntries {
  if (moves.length === 1) return {}
  const names = Object.keys(moves[0]?.says ?? {})
  const entries = names.map((name) => {
    const values = moves.map(({ says }) => says?.[name] ?? '')
    return [name, described(v.picklist(values), fields[name]?.about ?? '')] as const
  })
  return Object.fromEntries(entries)
}

function isChosen({ says = {} }: Move, input: Values): boolean {
  return Object.entries(says).every(([name, value]) => input[name] === value)
}

interface MoveRequest<Name extends string> {
  readonly id: number
  readonly move: Name
  readonly input: Values
  readonly api: Api
  readonly hidesStatus?: true | undefined
}

/** Makes a move of an entity that belongs to the caller; answers the id, the status after it and what else the machine answers. */
async function runMove<E extends Entity>(
  context: Context,
  machine: Machine<E>,
  request: MoveRequest<MoveOf<E>>,
): Promise<Values> {
  const { entity, decider, prepare, answer } = machine
  const { id, move, input, api, hidesStatus } = request
  const { state: before } = await loadOwn(context, machine, id)
  const values = { ...storedValues(entity, move, input), ...(await prepare[move]?.(context, input, before)) }
  const stream = (await findStream(context, machine, id)) ?? streamOf(entity, id)
  const one = { ...decider, evolve: ofOne(entity, decider.evolve, id) }
  const events = await execute(
    context.store,
    one,
    stream,
    { move, ...commandStamp(context), values },
    toNewEvent(context),
    async (state, made) => (state && (await machine.beside?.[move]?.(context, state, made))) ?? [],
  )
  const state = (await loadEntity(context, machine, id)) ?? before
  const more = answer?.[move]?.({ events, state, values })
  return hidesStatus
    ? { result: true, id, [entity.id]: id, ...more }
    : { ...answerOf(context, entity, api, state), ...more }
}

function createOperation<E extends Entity>(machine: Machine<E>, door: Door): readonly Operation[] {
  const { entity, prepare } = machine
  const move = firstMove(entity) as MoveOf<E>
  const call = callOf(entity.moves[move], door)
  if (call === undefined) return []
  const api = apiOf(entity, door)
  const begun = { status: v.literal(entity.moves[move]?.to ?? ''), answers: call.answers ?? {} }
  const own = operation({
    ...callEntries(api, call),
    input: v.strictObject({ ...inputEntries(entity, move), ...call.asks }),
    output: answerSchema(entity, api, begun),
    ids: idsIn(entity, move),
    requireFields: (context, input) => requireFields(context, entity, move, input),
    errors: [...entryErrors(api), ...(call.errors ?? [])],
    rest: { method: 'POST', path: api.path },
    handle: async (context, input: Values) => {
      const values = { ...storedValues(entity, move, input), ...(await prepare[move]?.(context, input, {})) }
      const id = await (machine.create?.(context, values) ?? create(context, machine, values))
      if (api.one === undefined) return answerOf(context, entity, api, (await loadOwn(context, machine, id)).state)
      return statusOf(entity, { [entity.id]: id, status: entity.moves[move]?.to })
    },
    ...settling(machine, api, move),
  })
  return [own]
}

/** Records a new entity under the next number, and answers the number; some values may follow from it. */
export async function create<E extends Listed>(
  context: Context,
  kind: Decided<E>,
  made: Values,
  following: (id: number) => Values = () => ({}),
): Promise<number> {
  return retryOnConflict(async () => {
    const { id, appends } = await drafted(context, kind, made, following)
    await context.store.appendMany(appends)
    return id
  })
}

/** A table of which entities are made, and its decider. */
interface Decided<E extends Listed> {
  readonly entity: E
  readonly decider: Decider<StateOf<E> | undefined, MoveCommand<MoveOf<E>>, EntityEvent>
  /** The kind whose numbers its ids are, as `order`; its category where absent. */
  readonly sequence?: string
}

/** A new entity that is not recorded yet: its number, and what records both. */
export async function drafted<E extends Listed>(
  context: Context,
  { entity, decider, sequence = entity.category }: Decided<E>,
  made: Values,
  following: (id: number) => Values = () => ({}),
): Promise<{ readonly id: number; readonly appends: readonly Append[] }> {
  const move = firstMove(entity) as MoveOf<E>
  const { first: id, append } = await nextNumbers(context, sequence)
  const values = { ...made, ...following(id), [entity.id]: id }
  const events = decider.decide({ move, ...commandStamp(context), values }, undefined).map(toNewEvent(context))
  return { id, appends: [append, { stream: streamOf(entity, id), events, expected: 'no-stream' }] }
}

/** When something is done (ISO 8601, UTC), and by whose account. */
export function commandStamp(context: Context): { readonly at: string; readonly by: number | null } {
  return { at: isoOf(context.clock()), by: businessCallerOf(context).by }
}

function callEntries(api: Api, { operation: name, summary, by, risk, scope, secret }: MoveCall) {
  const scopes = [scope ?? api.write.scope]
  return {
    name,
    summary,
    scopes,
    ...callersIn(by),
    risk: risk ?? 'medium',
    ...familyOf(api),
    ...(secret && { secret }),
  } as const
}

/** The schema of what a move answers: the status, or the whole record. */
function answerSchema(entity: Entity, { one }: Api, { status, answers, hidesStatus }: StatusAnswer) {
  if (one === undefined) return recordAnswer(entity)
  const { status: any, ...numbered } = statusAnswer(entity)
  if (hidesStatus) return v.strictObject({ result: v.literal(true), ...numbered, ...answers })
  const answer = v.strictObject({ result: v.literal(true), ...numbered, status: status ?? any, ...answers })
  return status === undefined && answers === undefined ? named(`${recordName(entity)}Answer`, answer) : answer
}

interface StatusAnswer {
  readonly status?: v.GenericSchema
  readonly answers?: v.ObjectEntries
  readonly hidesStatus?: true
}

function answerOf(context: Context, entity: Entity, { one }: Api, state: Values): Values {
  return one === undefined ? { result: true, ...recordOf(entity, state, viewOf(context)) } : statusOf(entity, state)
}
