import type { Decider, Reducer } from '../kernel/decider.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Event } from '../kernel/event.ts'
import { isObject } from '../kernel/members.ts'
import type { Code } from '../kernel/messages/index.ts'
import {
  type Entity,
  type Field,
  type Move,
  type MoveOf,
  type RecordedOf,
  type StateOf,
  settingOf,
  type Table,
  type Values,
} from './field.ts'

/** What every event of an entity says: when (ISO 8601, UTC) and by whose account; null for providers and the platform. */
export interface EventBase {
  readonly at: string
  readonly by: number | null
}

/** An event of an entity; values of fields that are personal are in `personal`. */
export type EntityEvent = Event<string, EventBase & { readonly personal?: Values; readonly [name: string]: unknown }>

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

/** The decider of an entity: its moves record their events, and its fields are what the events have set. */
export function deciderOf<const E extends Entity>(
  entity: E,
): Decider<StateOf<E> | undefined, MoveCommand<MoveOf<E>>, EntityEvent> {
  return {
    initial: () => undefined,
    evolve: reducerOf(entity),
    decide: (command, state) => decide(entity, command, state),
  }
}

function decide(
  entity: Entity,
  command: MoveCommand,
  state: (Values & { readonly status: string; readonly isErased: boolean }) | undefined,
): readonly EntityEvent[] {
  const { from, to, event, says, erases } = entity.moves[command.move] as Move
  const { missing, forbidden } = entity.refusals
  if (state === undefined && from !== 'nothing') throw refused(entity, missing, command, state)
  if (state !== undefined && !allowsMove(entity, state.status, command.move))
    throw refused(entity, forbidden, command, state)
  if (erases && state?.isErased) return []
  const status = entity.recordsStatus && { ...(state && { from: state.status }), to: to ?? state?.status }
  return [
    {
      type: event,
      data: { at: command.at, by: command.by, ...status, ...recorded(entity, command.move, command.values), ...says },
    },
  ]
}

function refused({ id, refusals }: Entity, code: Code, { move }: MoveCommand, state: Values | undefined): EngineError {
  return new EngineError(code, { [refusals.param]: Number(state?.[id] ?? 0), status: String(state?.status), move })
}

/** The values of a move as its event records them: the personal ones apart, so that they can be erased. */
export function recorded<const E extends Table, Name extends MoveOf<E>>(
  entity: E,
  move: Name,
  values: Values = {},
): RecordedOf<E, Name> {
  const fields = Object.entries(entity.fields).filter(([, field]) => isRecorded(field, move))
  const isMissing = ([name]: readonly [string, Field]) => (values[name] ?? undefined) === undefined
  const open = fields.filter((one) => !one[1].personal && (entity.missing === 'null' || !isMissing(one)))
  const personal = fields.filter((one) => one[1].personal && !isMissing(one))
  const said = Object.fromEntries(open.map(([name]) => [name, values[name] ?? null]))
  const erasable = personal.map(([name]) => [name, values[name]] as const)
  return { ...said, ...(erasable.length > 0 && { personal: Object.fromEntries(erasable) }) } as RecordedOf<E, Name>
}

/** Whether the event of a move has the value of a field; what a move says has it in any case. */
function isRecorded(field: Field, move: string): boolean {
  return ['required', 'optional', 'defaulted', 'engine', 'sometimes'].includes(String(settingOf(field, move)))
}

type Read = (data: EntityEvent['data'], before: Values) => unknown

/** The effect of a move on the fields. */
export interface Effect {
  readonly move: Move
  readonly reads: readonly (readonly [name: string, read: Read])[]
}

/** The reducer of an entity: an event sets the fields that the table says its move sets. */
export function reducerOf<const E extends Table>(entity: E): Reducer<StateOf<E> | undefined, EntityEvent> {
  const effects = new Map<string, Effect[]>()
  for (const effect of effectsOf(entity)) {
    const { event } = effect.move
    effects.set(event, [...(effects.get(event) ?? []), effect])
  }
  const evolve: Reducer<Values | undefined, EntityEvent> = (before, { type, data }) => {
    const effect = effects.get(type)?.find((one) => isEffectOf(one, data))
    if (effect === undefined) return before
    const { move, reads } = effect
    if (before === undefined && move.from !== 'nothing') return before
    const state: Record<string, unknown> = { isErased: false, ...before }
    for (const [name, read] of reads) state[name] = read(data, before ?? {}) ?? undefined
    state.status = statusAfter(entity, move, data) ?? state.status
    return move.erases ? erased(entity, state) : state
  }
  return evolve as unknown as Reducer<StateOf<E> | undefined, EntityEvent>
}

/** The effects of all moves, to be looked up by the types of events. */
export function effectsOf({ fields, moves }: Pick<Table, 'fields' | 'moves'>): readonly Effect[] {
  return Object.entries(moves).map(([name, move]) => ({
    move,
    reads: Object.entries(fields).flatMap(([field, row]) => {
      const read = readOf(field, row, name)
      return read === undefined ? [] : [[field, read] as const]
    }),
  }))
}

/** The status that an event leads to: the one that it records, or that of its move. */
export function statusAfter(
  { recordsStatus, statuses }: Table,
  move: Move,
  { to }: EntityEvent['data'],
): string | undefined {
  return recordsStatus && typeof to === 'string' && Object.hasOwn(statuses, to) ? to : move.to
}

function readOf(name: string, field: Field, move: string): Read | undefined {
  const setting = settingOf(field, move)
  if (setting === undefined) return undefined
  if (setting === 'now') return ({ at }) => at
  if (setting === 'cleared') return () => undefined
  if (typeof setting === 'string') return field.personal ? ({ personal }) => personal?.[name] : (data) => data[name]
  if ('is' in setting) return () => setting.is
  return (data, before) => setting.of(data as never, before as never)
}

/** Whether an event of the type of a move is of this move, and not of another one that has the same type. */
export function isEffectOf({ move: { says = {} } }: Effect, data: unknown): boolean {
  return Object.entries(says).every(([name, value]) => isObject(data) && data[name] === value)
}

function erased({ fields }: Table, state: Values): Values {
  const personal = Object.entries(fields).filter(([, field]) => field.personal)
  return { ...state, ...Object.fromEntries(personal.map(([name]) => [name, undefined])), isErased: true }
}

/** The types of the events of an entity. */
export function eventTypesOf({ moves }: Pick<Table, 'moves'>): readonly string[] {
  return [...new Set(Object.values(moves).map(({ event }) => event))]
}
