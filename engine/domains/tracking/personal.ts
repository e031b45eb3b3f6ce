import { isObject, type Members } from '../../kernel/members.ts'
import type { Aggregation, Location, ProofOfDelivery, Withdrawal } from '../../kernel/timeline.ts'
import { eventSchema } from './schema.ts'

/** The personal data of an event, in the shape of the event itself. */
interface Personal {
  readonly description?: string
  readonly location?: Pick<Location, 'latitude' | 'longitude' | 'address'>
  readonly pod?: Omit<ProofOfDelivery, 'signed_at'>
  readonly aggregation?: Aggregation
  readonly withdrawn?: Pick<Withdrawal, 'reason'>
}

/** What is sealed with the personal data of an event, and what is found by. */
export interface SealedPersonal extends Personal {
  /** The blinded identifier of the container that the event speaks of. */
  readonly container?: string
}

/** Personal members, and objects that contain some. */
interface Table {
  readonly [member: string]: true | Table
}

/**
 * THE LIST of personal members: what names the recipient or says where someone lives, what a thing was packed in, and all
 * free text. The code, name and town of a place belong to the carrier's network; identifiers and times are needed to name
 * and order streams.
 */
const personalMembers = {
  description: true,
  location: { latitude: true, longitude: true, address: { street: true, postal_code: true } },
  pod: { recipient: true, signature_url: true, photo_urls: true, note: true },
  aggregation: true,
  withdrawn: { reason: true },
} as const satisfies Table

/**
 * An event or a part of it without its personal data, and the personal data. Objects that would be empty are left
 * out.
 */
interface Split<Part> {
  readonly rest: Part
  readonly personal?: Personal
}

/** Separates the personal data; a value without any is returned unchanged. */
export function splitPersonal<Part extends object>(event: Part): Split<Part> {
  if (!hasPersonalData(event as Members, personalMembers)) return { rest: event }
  const { left, personal } = split(event as Members, personalMembers)
  return { rest: left as Part, personal }
}

/** Puts the personal data back, with the members in order. */
export function withPersonal<Part extends object>(event: Part, personal: Personal | undefined): Part {
  return isObject(personal) ? (joined(event as Members, personal, eventOrder) as Part) : event
}

function hasPersonalData(members: Members, table: Table): boolean {
  for (const name in table) {
    const value = members[name]
    const below = table[name]
    if (below === true ? value !== undefined : isObject(value) && hasPersonalData(value, below as Table)) return true
  }
  return false
}

function split(members: Members, table: Table): { readonly left: Members; readonly personal: Members } {
  const left: Record<string, unknown> = {}
  const personal: Record<string, unknown> = {}
  for (const name in members) {
    const value = members[name]
    const below = table[name]
    if (below === true) personal[name] = value
    else if (below === undefined || !isObject(value) || !hasPersonalData(value, below)) left[name] = value
    else {
      const parts = split(value, below)
      personal[name] = parts.personal
      if (Object.keys(parts.left).length > 0) left[name] = parts.left
    }
  }
  return { left, personal }
}

interface Order {
  readonly [member: string]: Order
}

/** Order of the members in the schema. */
const eventOrder = orderOf(eventSchema)

function orderOf(schema: object): Order {
  const entries = 'wrapped' in schema ? (schema.wrapped as object) : schema
  if (!('entries' in entries)) return {}
  return Object.fromEntries(Object.entries(entries.entries as object).map(([name, member]) => [name, orderOf(member)]))
}

/** Joins both in this order. Nothing in the first is changed; lists are concatenated. */
function joined(rest: Members, personal: Members, order: Order): Members {
  const whole: Record<string, unknown> = {}
  for (const name in order) {
    const [one, other] = [rest[name], personal[name]]
    if (isObject(one) && isObject(other)) whole[name] = joined(one, other, order[name] as Order)
    else if (Array.isArray(one) && Array.isArray(other)) whole[name] = [...one, ...other]
    else if (one !== undefined || other !== undefined) whole[name] = one ?? other
  }
  return whole
}
