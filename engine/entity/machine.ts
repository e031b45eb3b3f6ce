import type { Decider, Reducer } from '../kernel/decider.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Event } from '../kernel/event.ts'
import { isObject } from '../kernel/members.ts'
import type { Code } from '../kernel/messages/index.ts'
import {
  type Field,
  type Listed,
  type Move,
  type MoveOf,
  type Part,
  type StateOf,
  settingOf,
  type Table,
  type Values,
} from './field.ts'
import type { StoredOf } from './input.ts'
import { recorded } from './recorded.ts'

/** What every event of an entity says: when (ISO 8601, UTC) and by whose account; null for providers and the platform. */
export interface EventBase {
  readonly at: string
  readonly by: number | null
}

/** An event of an entity; values of fields that are personal are in `personal`, and a move may have `at` under another name. */
export type EntityEvent = Event<
  string,
  Pick<EventBase, 'by'> & { readonly at?: string; readonly personal?: Values; readonly [name: string]: unknown }
>

/** A request to move an entity, with the values that the move sets. */
export interface MoveCommand<Name extends string = string> extends EventBase {
  readonly move: Name
  readonly values?: Values
}

/** Whether an entity of this status can be moved so. */
export function allowsMove({ moves }: Pick<Table, 'moves'>, status: string, move: string): boolean {
  const from = moves[move]?.from ?? []
  return from === 'any' || (from !== 'nothing' && from.includes(status))
}

/**
 * What is special about a move that the status allows: it refuses the move by the values and the state, or answers the values
 * that the event records beside those given, or in their place. It also receives when the move is made (ISO 8601, UTC).
 */
export type Rules<E extends Part, Ruling = Values | undefined> = {
  readonly [Name in MoveOf<E>]?: (
    values: StoredOf<E, Name> & Values,
    state: E['moves'][Name]['from'] extends 'nothing' ? undefined : StateOf<E>,
    at: string,
  ) => Ruling
}

/** Whether a move changes nothing; no event then follows, and the status does not matter. It may refuse the move too. */
export type Noops<E extends Part> = Rules<E, boolean>

/** A move, and the values that it sets. */
export type Step<E extends Part> = readonly [move: MoveOf<E>, values?: Values]

/**
 * The moves that are made when one is requested that the status allows, in order: itself, others, or none. Each is then decided
 * by its own rule. It may refuse the move too.
 */
export type Steps<E extends Part> = Rules<E, readonly Step<E>[]>

/** The decider of an entity: its moves record their events, and its fields are what the events have set. */
export function deciderOf<const E extends Listed>(
  entity: E,
  rules: Rules<E> = {},
  noops: Noops<E> = {},
  steps: Steps<E> = {},
): Decider<StateOf<E> | undefined, MoveCommand<MoveOf<E>>, EntityEvent> {
  const evolve = reducerOf(entity)
  return {
    initial: () => undefined,
    evolve,
    decide: (command, state) => decide(entity, { rules, noops, steps, evolve }, command, state),
  }
}

type Functions<Result> = {
  readonly [move: string]: ((values: never, state: never, at: string) => Result) | undefined
}

type State = (Values & { readonly status: string; readonly isErased: boolean }) | undefined

interface Deciding {
  readonly rules: Functions<Values | undefined>
  readonly noops: Functions<boolean>
  readonly steps: Functions<readonly (readonly [move: string, values?: Values])[]>
  evolve(state: never, event: EntityEvent): unknown
}

function decide(entity: Listed, deciding: Deciding, command: MoveCommand, state: State): readonly EntityEvent[] {
  const { move, at, values = {} } = command
  const { from, erases } = entity.moves[move] as Move
  if (state === undefined && from !== 'nothing') throw refused(entity, entity.refusals.missing, command, state)
  if (deciding.noops[move]?.(values as never, state as never, at) || isIgnored(entity, state, move)) return []
  requireStatus(entity, command, state)
  if (erases && state?.isErased) return []
  const steps = deciding.steps[move]?.(values as never, state as never, at)
  if (steps === undefined) return [decideOne(entity, deciding, command, state)]
  const events: EntityEvent[] = []
  let now = state
  for (const [step, given = {}] of steps) {
    const one = { ...command, move: step, values: given }
    requireStatus(entity, one, now)
    const event = decideOne(entity, deciding, one, now)
    events.push(event)
    now = deciding.evolve(now as never, event) as State
  }
  return events
}

function isIgnored(entity: Listed, state: State, move: string): boolean {
  const { ignoredIn = [] } = entity.moves[move] as Move
  if (state === undefined) return false
  return ignoredIn === 'others' ? !allowsMove(entity, state.status, move) : ignoredIn.includes(state.status)
}

function requireStatus(entity: Listed, command: MoveCommand, state: State): void {
  if (state !== undefined && !allowsMove(entity, state.status, command.move))
    throw refused(entity, entity.refusals.forbidden, command, state)
}

function decideOne(entity: Listed, { rules }: Deciding, command: MoveCommand, state: State): EntityEvent {
  const { move, at, by, values = {} } = command
  const { to, event, says, timeAs = 'at' } = entity.moves[move] as Move
  const all = { ...repeated(entity, move, state), ...values, ...rules[move]?.(values as never, state as never, at) }
  const status = entity.recordsStatus && { ...(state && { from: state.status }), to: to ?? state?.status }
  const { personal, ...open } = recorded(entity, move, all)
  // Nothing personal is recorded after an erasure.
  const kept = personal === undefined || state?.isErased ? {} : { personal }
  return { type: event, data: { [timeAs]: at, by, ...status, ...open, ...kept, ...says } }
}

/** A reducer that passes over the events of other entities in the same stream. */
export function ofOne<State>(
  { id: name = '' }: Pick<Part, 'id'>,
  evolve: Reducer<State, EntityEvent>,
  id: number,
): Reducer<State, EntityEvent> {
  return (state, event) => ((event.data[name] ?? id) === id ? evolve(state, event) : state)
}

function refused(
  { id, refusals }: Listed,
  code: Code,
  { move, values }: MoveCommand,
  state: Values | undefined,
): EngineError {
  const named = Number(state?.[id] ?? values?.[id] ?? 0)
  return new EngineError(code, { [refusals.param]: named, status: String(state?.status), move })
}

/** The values that an event repeats from the state before it. */
function repeated({ fields }: Table, move: string, state: Values = {}): Values {
  const names = Object.keys(fields).filter((name) => settingOf(fields[name] as Field, move) === 'repeated')
  return Object.fromEntries(names.map((name) => [name, state[name]]))
}

type Read = (data: EntityEvent['data'], before: Values) => unknown

/** The effect of a move on the fields. */
interface Effect {
  readonly move: Move
  readonly reads: readonly (readonly [name: string, read: Read])[]
  /** The fields that stay as they were if the event does not have them. */
  readonly keeps: ReadonlySet<string>
}

/** The reducer of an entity: an event sets the fields that the table says its move sets. */
export function reducerOf<const E extends Part>(entity: E): Reducer<StateOf<E> | undefined, EntityEvent> {
  const effects = new Map<string, Effect[]>()
  for (const effect of effectsOf(entity)) {
    const { event } = effect.move
    effects.set(event, [...(effects.get(event) ?? []), effect])
  }
  const lists = Object.entries(entity.parts ?? {}).map(([name, part]) => [name, listReducerOf(part)] as const)
  const evolve: Reducer<Values | undefined, EntityEvent> = (before, event) => {
    const { type, data } = event
    const isFirst = before === undefined
    const effect = effects.get(type)?.find((one) => (one.move.from === 'nothing') === isFirst && isEffectOf(one, data))
    if (effect === undefined) return before
    const { move, reads } = effect
    const state: Record<string, unknown> = { isErased: false, ...before }
    for (const [name, read] of reads) state[name] = read(data, before ?? {}) ?? undefined
    for (const [name, read] of lists) state[name] = read((before?.[name] ?? []) as readonly Values[], event)
    state.status = statusAfter(entity, move, data) ?? state.status ?? before?.status
    return move.erases ? erased(entity, state) : state
  }
  return evolve as unknown as Reducer<StateOf<E> | undefined, EntityEvent>
}

/** The reducer of a list of parts: an event adds one, or moves the one that it names, or all where it names none. */
function listReducerOf(part: Part): Reducer<readonly Values[], EntityEvent> {
  const evolve = reducerOf(part) as unknown as Reducer<Values | undefined, EntityEvent>
  return (all, event) => {
    const added = evolve(undefined, event)
    if (added !== undefined) return [...all, added]
    return all.map((one) => (isAbout(part, event, one) ? (evolve(one, event) ?? one) : one))
  }
}

/** Whether an event is about a part, as far as it names one. */
export function isAbout({ id = '' }: Part, { data }: EntityEvent, one: Values): boolean {
  return data[id] === undefined || data[id] === one[id]
}

/** The effects of all moves, to be looked up by the types of events. */
export function effectsOf({ fields, moves }: Pick<Table, 'fields' | 'moves'>): readonly Effect[] {
  return Object.entries(moves).map(([name, move]) => ({
    move,
    reads: Object.entries(fields).flatMap(([field, row]) => {
      const read = readOf(field, row, name, move)
      return read === undefined ? [] : [[field, read] as const]
    }),
    keeps: new Set(Object.keys(fields).filter((field) => settingOf(fields[field] as Field, name) === 'kept')),
  }))
}

/** The status that an event leads to: the one that it records, or that of its move. */
function statusAfter({ recordsStatus, statuses }: Part, move: Move, { to }: EntityEvent['data']): string | undefined {
  return recordsStatus && typeof to === 'string' && Object.hasOwn(statuses, to) ? to : move.to
}

function readOf(name: string, field: Field, moveName: string, move: Move): Read | undefined {
  const setting = settingOf(field, moveName)
  if (setting === undefined || setting === 'repeated') return undefined
  if (setting === 'now') return (data) => timeIn(move, data)
  if (setting === 'kept')
    return (data, before) => {
      const said = field.personal ? (data.personal ?? {}) : data
      return Object.hasOwn(said, name) ? said[name] : before[name]
    }
  if (setting === 'cleared') return () => undefined
  if (typeof setting === 'string' || 'required' in setting)
    return field.personal ? ({ personal }) => personal?.[name] : (data) => data[name]
  if ('is' in setting) return () => setting.is
  return (data, before) => setting.of(data as never, before as never)
}

/** Whether an event of the type of a move is of this move, and not of another one that has the same type. */
export function isEffectOf({ move: { says = {} } }: Pick<Effect, 'move'>, data: unknown): boolean {
  return Object.entries(says).every(([name, value]) => isObject(data) && data[name] === value)
}

/** When an event of a move was made: ISO 8601, UTC. */
export function timeIn({ timeAs = 'at' }: Move, data: EntityEvent['data']): string {
  return String(data[timeAs])
}

function erased({ fields }: Part, state: Values): Values {
  const personal = Object.entries(fields).filter(([, field]) => field.personal)
  return { ...state, ...Object.fromEntries(personal.map(([name]) => [name, undefined])), isErased: true }
}
