import { EngineError, type LoadedTimeline } from '../../../engine/index.ts'
import { segment } from '../../../projections/shared/subject.ts'

/** What the id of a logistics object says: the thing that it is, or is a part of. */
export interface ObjectId {
  /** The name of a timeline, or an identifier of it. */
  readonly thing: string
  /** As in the id; absent for a piece. */
  readonly part?: string
}

const parts = /^(.+):(shipment|waybill|(?:location|organization|signature|photo)-[\da-f-]{36})$/

/** Reads the id of a logistics object, as it is in the path. */
export function objectIdIn(raw: string): ObjectId {
  const [, thing = raw, part] = parts.exec(raw) ?? []
  return { thing: decoded(thing), ...(part !== undefined && { part }) }
}

/** The order whose shipment or waybill it is; undefined for other objects. */
export function orderOf({ thing, part }: ObjectId): number | undefined {
  const [, order] = /^order_id:([1-9]\d{0,14}|0)$/.exec(thing) ?? []
  return order !== undefined && (part === 'shipment' || part === 'waybill') ? Number(order) : undefined
}

/** Whether the id is that of a timeline as its documents have it. */
export function isOwnName({ thing }: ObjectId, { name }: Pick<LoadedTimeline, 'name'>): boolean {
  return thing === name
}

/** The id of an object as documents have it. */
export function pathOfId(thing: string, part: string | undefined): string {
  return `${segment(thing)}${part === undefined ? '' : `:${part}`}`
}

/** A member of a path without percent-encoding; one that is not well encoded names nothing. */
export function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw new EngineError('route_not_found')
  }
}
