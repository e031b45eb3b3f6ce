import {
  assignment,
  carrierPackage,
  type Entity,
  lockerDelivery,
  type Operation,
  roles,
  type Table,
} from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

/** The statuses and moves of what has no page of its own. */
export function statusesPage(operations: readonly Operation[]): string {
  const entities: readonly Entity[] = [lockerDelivery, carrierPackage, assignment]
  const sources = ['partner-lockers', 'carrier-packages', 'third-party-deliveries']
  return page(
    'Statuses of locker deliveries, carrier packages and assignments',
    sources.map((domain) => `engine/domains/${domain}/moves.ts`),
    [
      `${code('POST')} calls make the moves; those without one follow from others, or from a deadline. Orders and device orders
have pages of their own: [orders](order-statuses.md), [device orders](device-order-statuses.md).`,
      ...entities.flatMap((entity) => sectionOf(entity, operations)),
    ],
  )
}

function sectionOf(entity: Entity, operations: readonly Operation[]): readonly string[] {
  return [
    `## ${entity.noun[0]?.toUpperCase()}${entity.noun.slice(1)}`,
    statusTable(entity),
    `### Moves of the ${entity.noun}`,
    `From any other status a move is refused with ${code(entity.refusals.forbidden)} (409).`,
    moveTable(entity, operations),
  ]
}

/** What has statuses and moves. */
type Moving = Pick<Table, 'statuses' | 'moves'> & Partial<Pick<Table, 'fields'>>

/** The statuses of an entity, with their ids if they have any, and the moves that each allows. */
export function statusTable({ statuses, moves }: Moving): string {
  const rows = Object.entries(statuses).map(([name, status]) => {
    const { id, meaning } = typeof status === 'string' ? { id: undefined, meaning: status } : status
    const possible = Object.keys(moves).filter(
      (move) => moves[move]?.from !== 'any' && moves[move]?.from.includes(name),
    )
    return [...(id === undefined ? [] : [String(id)]), code(name), plain(meaning), codes(possible)]
  })
  const head = ['status', 'meaning', 'moves from here']
  return table(rows.some((row) => row.length > head.length) ? ['id', ...head] : head, rows)
}

/** The moves of an entity: from where to where, who may make them, and with which operation if there is one. */
export function moveTable(
  { moves, fields }: Moving,
  operations: readonly Operation[],
  operationOf = (move: string) => moves[move]?.call?.operation,
): string {
  const rows = Object.entries(moves).map(([name, { from, to, call }]) => {
    const operation = operations.find((one) => one.name === operationOf(name))
    const who = call?.by ?? (operation && (operation.roles ?? roles)) ?? []
    const route = operation?.rest && code(`${operation.rest.method} ${operation.rest.path}`)
    const unnamed = fields?.status?.set[name] === undefined ? '(stays)' : '(depends)'
    const origin = typeof from === 'string' ? `(${from})` : codes(from)
    return [code(name), origin, to === undefined ? unnamed : code(to), codes(who), route ?? '–']
  })
  return table(['move', 'from', 'to', 'who', 'REST'], rows)
}
