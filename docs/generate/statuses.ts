import { type Entity, type Operation, type Part, roles, type Table } from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

/** The entities that have their own page of statuses. */
const ownPages: readonly string[] = ['order', 'device_order']

type Moved = Table & Partial<Pick<Entity, 'refusals'>>

/** The statuses and moves of the other entities. */
export function statusesPage(entities: readonly Moved[], operations: readonly Operation[]): string {
  return page(
    'Statuses of other entities',
    ['engine/domains/index.ts'],
    [
      `[Orders](order-statuses.md) and [device orders](device-order-statuses.md) have their own pages. A move without a REST
route follows from another move or from a deadline, or its operation makes other moves as well.`,
      ...entities
        .filter(({ category }) => !ownPages.includes(category))
        .flatMap((entity) => sectionOf(entity, operations)),
    ],
  )
}

function sectionOf(entity: Moved, operations: readonly Operation[]): readonly string[] {
  const { noun, parts = {}, refusals } = entity
  const refused = refusals && ` with ${code(refusals.forbidden)}`
  return [
    `## ${noun[0]?.toUpperCase()}${noun.slice(1)}`,
    statusTable(entity),
    `From any other status a move is refused${refused ?? ''} (409).`,
    moveTable(entity, operations),
    ...partSections(noun, parts),
  ]
}

/** The statuses of the parts of an entity, which its moves move. */
export function partSections(noun: string, parts: Readonly<Record<string, Part>>): readonly string[] {
  const moved = Object.entries(parts).filter(([, { statuses }]) => Object.keys(statuses).length > 0)
  return moved.flatMap(([list, part]) => [`### ${code(list)} of a ${noun}`, statusTable(part)])
}

/** An entity or part with statuses and moves. */
type Moving = Pick<Part, 'statuses' | 'moves'> & Partial<Pick<Part, 'fields'>>

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

/** The moves of an entity: from where to where, who may make them, and with which operations if there are any. */
export function moveTable({ moves, fields }: Moving, operations: readonly Operation[]): string {
  const rows = Object.entries(moves).map(([name, { from, to, call, providerCall }]) => {
    const names = [call?.operation, providerCall?.operation]
    const found = operations.filter((one) => names.includes(one.name))
    const by = [...(call?.by ?? []), ...(providerCall?.by ?? [])]
    const who = by.length > 0 ? by : found.flatMap((one) => one.roles ?? roles)
    const routes = found.flatMap(({ rest }) => (rest === undefined ? [] : [`${rest.method} ${rest.path}`]))
    const unnamed = fields?.status?.set[name] === undefined ? '(stays)' : '(depends)'
    const origin = typeof from === 'string' ? `(${from})` : codes(from)
    return [code(name), origin, to === undefined ? unnamed : code(to), codes(who), codes(routes)]
  })
  return table(['move', 'from', 'to', 'who', 'REST'], rows)
}
