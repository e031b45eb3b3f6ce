import * as v from 'valibot'
import type { Role } from '../kernel/account.ts'
import type { Context } from '../kernel/context.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Code } from '../kernel/messages/index.ts'
import { type Operation, operation } from '../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../kernel/paging.ts'
import { partyOf } from '../kernel/party.ts'
import type { ReadModel, Row } from '../kernel/read-model.ts'
import { id as idSchema } from '../kernel/schemas.ts'
import { isoOf } from '../kernel/time.ts'
import { execute, retryOnConflict } from '../store/execute.ts'
import { nextNumbers } from '../store/sequence.ts'
import { toNewEvent } from '../store/to-new-event.ts'

import {
  authorized,
  findStream,
  type Kind,
  loadEntity,
  requireFields,
  requireParty,
  streamOf,
  viewOf,
} from './access.ts'
import type { Api, Entity, Move, MoveCall, MoveOf, Party, StateOf, Values } from './field.ts'
import { described, inputEntries, storedValues } from './input.ts'

import { listedOf } from './list.ts'
import { type EntityEvent, type MoveCommand, ofOne } from './machine.ts'
import { firstMove, listedSchemaOf, recordOf, recordSchemaOf } from './record.ts'

/** What is special about a move of an entity, before it is decided: checks that refuse it, and the values that the engine sets. */
export type Preparation = (context: Context, given: Values, state: Values) => Promise<Values | undefined>

/** An entity, its decider and what is special about its moves. */
export interface Machine<E extends Entity = Entity> extends Kind<E> {
  readonly decider: Decider<StateOf<E> | undefined, MoveCommand<MoveOf<E>>, EntityEvent>
  readonly prepare: { readonly [Name in MoveOf<E>]?: Preparation }
  /** Records a new entity and answers its id, where that takes more than the first event of a stream of its own. */
  create?(context: Context, values: Values): Promise<number>
}

/** The operations of an entity for accounts, or its own for providers. */
type Door = 'api' | 'providerApi'

function apiOf(entity: Entity, door: Door): Api {
  return entity[door] ?? entity.api
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
    if (call !== undefined && move.from !== 'nothing')
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
  const { errors = [], verb, by } = call
  const { missing, forbidden } = entity.refusals
  const own: Operation = operation({
    ...callEntries(apiOf(entity, door), call),
    input: v.strictObject({
      ...idEntry(entity),
      ...Object.assign({}, ...names.map((name) => inputEntries(entity, name))),
      ...choiceEntries(entity, moves),
    }),
    output: statusAnswer(entity),
    errors: [
      ...(['account_required', missing] satisfies Code[]),
      ...(from === 'any' ? [] : [forbidden]),
      ...(erases ? (['erasure_unfinished'] satisfies Code[]) : []),
      ...errors,
    ],
    rest: { method: 'POST', path: `${apiOf(entity, door).path}/{${entity.id}}/${verb}` },
    handle: (context, { [entity.id]: id, ...given }: Values) => {
      const chosen = names.find((name) => isChosen(entity.moves[name] as Move, given)) ?? (names[0] as MoveOf<E>)
      return runMove(context, machine, { operation: own, by, id: Number(id), move: chosen, given })
    },
  })
  return own
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

function isChosen({ says = {} }: Move, given: Values): boolean {
  return Object.entries(says).every(([name, value]) => given[name] === value)
}

interface MoveRequest<Name extends string> {
  readonly operation: Operation
  readonly by: readonly Party[]
  readonly id: number
  readonly move: Name
  readonly given: Values
}

/** Makes a move that the caller may make; answers the id and the status after it. */
export async function runMove<E extends Entity>(
  context: Context,
  machine: Machine<E>,
  request: MoveRequest<MoveOf<E>>,
): Promise<Values> {
  const { entity, decider, prepare } = machine
  const { id, move, given } = request
  const before = await authorized(context, machine, request)
  const values = { ...storedValues(entity, move, given), ...(await prepare[move]?.(context, given, before)) }
  const stream = (await findStream(context, machine, id)) ?? streamOf(entity, id)
  const one = { ...decider, evolve: ofOne(entity, decider.evolve, id) }
  await execute(context.store, one, stream, { move, ...stampOf(context), values }, toNewEvent(context))
  return statusOf(entity, (await loadEntity(context, machine, id)) ?? before)
}

function createOperation<E extends Entity>(machine: Machine<E>, door: Door): readonly Operation[] {
  const { entity, prepare } = machine
  const move = firstMove(entity) as MoveOf<E>
  const call = callOf(entity.moves[move], door)
  if (call === undefined) return []
  const own = operation({
    ...callEntries(apiOf(entity, door), call),
    input: v.strictObject(inputEntries(entity, move)),
    output: statusAnswer(entity, v.literal(entity.moves[move]?.to ?? '')),
    errors: ['account_required', ...(call.errors ?? [])],
    rest: { method: 'POST', path: apiOf(entity, door).path },
    handle: async (context, given: Values) => {
      requireParty(context, call.by)
      requireFields(context, entity, move, given)
      const values = { ...storedValues(entity, move, given), ...(await prepare[move]?.(context, given, {})) }
      const id = await (machine.create?.(context, values) ?? create(context, machine, values))
      return statusOf(entity, { [entity.id]: id, status: entity.moves[move]?.to })
    },
  })
  return [own]
}

async function create<E extends Entity>(
  context: Context,
  { entity, decider }: Machine<E>,
  made: Values,
): Promise<number> {
  const move = firstMove(entity) as MoveOf<E>
  return retryOnConflict(async () => {
    const { first, append } = await nextNumbers(context, entity.category)
    const values = { ...made, [entity.id]: first }
    const events = decider.decide({ move, ...stampOf(context), values }, undefined).map(toNewEvent(context))
    await context.store.appendMany([append, { stream: streamOf(entity, first), events, expected: 'no-stream' }])
    return first
  })
}

/** When something is done (ISO 8601, UTC), and by whose account. */
export function stampOf(context: Context): { readonly at: string; readonly by: number | null } {
  return { at: isoOf(context.clock()), by: partyOf(context).by }
}

function listOperation<E extends Entity>(machine: Machine<E>, model: ReadModel, door: Door): Operation {
  const { entity } = machine
  const { read, list, many, path, tag } = apiOf(entity, door)
  const filters = Object.entries(entity.fields).filter(
    ([, { listed, setBy }]) => listed === 'filter' && setBy.some((party) => read.by.includes(party)),
  )
  const entries = filters.map(([name, { type, about }]) => [name, v.exactOptional(described(type, about))] as const)
  return operation({
    ...{ name: list.operation, summary: list.summary, scopes: [read.scope], ...rolesIn(read.by), risk: 'low', tag },
    input: v.strictObject({ ...Object.fromEntries(entries), ...pageEntries }),
    output: v.strictObject({
      result: v.literal(true),
      ...pageAnswerEntries,
      [many]: v.array(list.shows === 'records' ? recordSchemaOf(entity) : listedSchemaOf(entity)),
    }),
    errors: ['account_required'],
    rest: { method: 'GET', path },
    handle: async (context, { page, per_page, ...filter }: Listing) => {
      requireParty(context, read.by)
      const where: Row = { ...filter, ...entity.access.cells(context) }
      const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
      const { rows, total } = await context.models.page(model, { where, ...range, newestFirst: true })
      const shown =
        list.shows === 'records' ? await recordsOf(context, machine, rows) : rows.map((row) => listedOf(entity, row))
      return { result: true, total, ...paging, [many]: shown }
    },
  })
}

async function recordsOf<E extends Entity>(context: Context, machine: Machine<E>, rows: readonly Row[]) {
  const { entity } = machine
  const found = await Promise.all(rows.map((row) => loadEntity(context, machine, Number(row[entity.id]))))
  return found.filter((state) => state !== undefined).map((state) => recordOf(entity, state, viewOf(context)))
}

/** A page of a list, and the values that its filters ask for. */
type Listing = Row & { readonly page?: number; readonly per_page?: number }

function getOperation<E extends Entity>(machine: Machine<E>, door: Door): readonly Operation[] {
  const { entity } = machine
  const { read, get, one, path, tag } = apiOf(entity, door)
  if (get === undefined) return []
  const own: Operation = operation({
    ...{ name: get.operation, summary: get.summary, scopes: [read.scope], ...rolesIn(read.by), risk: 'low', tag },
    input: v.strictObject(idEntry(entity)),
    output: v.strictObject({ result: v.literal(true), [one]: recordSchemaOf(entity) }),
    errors: ['account_required', entity.refusals.missing],
    rest: { method: 'GET', path: `${path}/{${entity.id}}` },
    handle: async (context, { [entity.id]: id }: Values) => {
      const state = await authorized(context, machine, { operation: own, by: read.by, id: Number(id) })
      return { result: true, [one]: recordOf(entity, state, viewOf(context)) }
    },
  })
  return [own]
}

function callEntries({ write, tag }: Api, { operation: name, summary, by, risk }: MoveCall) {
  return { name, summary, scopes: [write.scope], ...rolesIn(by), risk: risk ?? 'medium', tag } as const
}

/** The kinds of account that may call an operation; one for providers alone asks nothing of accounts here. */
export function rolesIn(by: readonly Party[]): { readonly roles?: readonly Role[] } {
  const roles = by.filter((party) => party !== 'provider')
  return roles.length === 0 ? {} : { roles }
}

/** The member of a path that names an entity. */
export function idEntry({ id, fields }: Entity): v.ObjectEntries {
  return { [id]: described(idSchema, fields[id]?.about ?? '') }
}

function statusAnswer({ id, statuses }: Entity, status: v.GenericSchema = v.picklist(Object.keys(statuses))) {
  return v.strictObject({ result: v.literal(true), [id]: v.number(), status })
}

function statusOf({ id }: Entity, state: Values): Values {
  return { result: true, [id]: state[id], status: state.status }
}
