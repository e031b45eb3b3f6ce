import { allowsMove, type Entity, entities, type Operation } from '../../../engine/index.ts'
import { type Members, membersOfInput } from './schema.ts'
import { mayNow, type Visitor } from './session.ts'

/** A kind of things that has pages because its table has an interface, with the operations that the table makes. */
export interface Kind {
  readonly entity: Entity
  /** What its addresses call it: `carrier-package`. */
  readonly name: string
  readonly list: Operation
  readonly get: Operation
  /** Those of its moves, the one that begins it first. */
  readonly moves: readonly { readonly move: string; readonly operation: Operation }[]
}

/** A thing as an answer has it. */
export type Values = Readonly<Record<string, unknown>>

const known = new WeakMap<readonly Operation[], readonly Kind[]>()

/** All kinds of things that have pages, in the order of their tables; found once for each list of operations. */
export function kindsIn(operations: readonly Operation[]): readonly Kind[] {
  const found =
    known.get(operations) ?? entities.flatMap((table) => ('api' in table ? kindOf(table as Entity, operations) : []))
  known.set(operations, found)
  return found
}

function kindOf(entity: Entity, operations: readonly Operation[]): readonly Kind[] {
  const named = (name: string | undefined) => operations.find((operation) => operation.name === name)
  const [list, get] = [named(entity.api.list.operation), named(entity.api.get?.operation)]
  if (list === undefined || get === undefined) return []
  const moves = Object.entries(entity.moves).flatMap(([move, { call }]) => {
    const operation = named(call?.operation)
    return operation === undefined ? [] : [{ move, operation }]
  })
  return [{ entity, name: entity.noun.replaceAll(' ', '-'), list, get, moves }]
}

/** Whether a visitor may see things of a kind. */
export function isShown({ list }: Kind, visitor: Visitor): boolean {
  return mayNow(visitor, list)
}

/**
 * What a visitor can do to things of a kind, each operation once: to begin one (`nothing`), with one of a status, or with one of
 * `any` status.
 */
export function openActions(
  { entity, moves }: Kind,
  visitor: Visitor,
  on: { readonly status: string } | 'any' | 'nothing',
): readonly Operation[] {
  const open = moves.filter(({ move, operation }) => {
    const isNew = entity.moves[move]?.from === 'nothing'
    const fits = typeof on === 'string' ? isNew === (on === 'nothing') : !isNew && allowsMove(entity, on.status, move)
    return fits && mayNow(visitor, operation)
  })
  return [...new Set(open.map(({ operation }) => operation))]
}

/** The members of the input of a list by which it can be filtered. */
export function filtersOf(list: Operation): Members {
  const { page: _, per_page: __, sort: ___, updated_since: ____, cursor: _____, ...filters } = membersOfInput(list)
  return filters
}

/** The members that the form of an operation on a thing asks for: all but its id. */
export function formOf({ id }: Entity, operation: Operation): Members {
  const { [id]: _, ...members } = membersOfInput(operation)
  return members
}

/** What the answers of a move have that no other answer has, by name: a code that was just made. */
export function secretsOf({ entity, moves }: Kind, operation: Operation): readonly string[] {
  if (operation.secret !== true) return []
  const made = moves.filter((one) => one.operation === operation)
  return [...new Set(made.flatMap(({ move }) => Object.keys(entity.moves[move]?.call?.answers ?? {})))]
}
