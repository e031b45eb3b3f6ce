import { isObject, type Members } from '../../kernel/members.ts'
import type { Location, ProofOfDelivery, Withdrawal } from '../../kernel/timeline.ts'
import { eventSchema } from './schema.ts'

/** What an event tells of people, in the form of the event itself. */
export interface Personal {
  readonly description?: string
  readonly location?: Pick<Location, 'latitude' | 'longitude' | 'address'>
  readonly pod?: Omit<ProofOfDelivery, 'signed_at'>
  readonly withdrawn?: Pick<Withdrawal, 'reason'>
}

/** Members that are personal, and objects that have such members. */
interface Table {
  readonly [member: string]: true | Table
}

/**
 * THE LIST of what is personal: what names the recipient or says where someone lives, and all free text. A code of a place,
 * its name and its town are of the carrier's network; identifiers and times name streams and order them.
 */
const personalMembers = {
  description: true,
  location: { latitude: true, longitude: true, address: { street: true, postal_code: true } },
  pod: { recipient: true, signature_url: true, photo_urls: true, note: true },
  withdrawn: { reason: true },
} as const satisfies Table

/** An event, or part of one, and apart from it what it tells of people; an object that has nothing else is left out of it. */
export interface Split<Part> {
  readonly rest: Part
  readonly personal?: Personal
}

/** Takes what is personal out; what has nothing of it is answered as it is. */
export function splitPersonal<Part extends object>(event: Part): Split<Part> {
  if (!hasPersonalData(event as Members, personalMembers)) return { rest: event }
  const { left, taken } = split(event as Members, personalMembers)
  return { rest: left as Part, personal: taken }
}

/** Puts what is personal back, with the members in their order. */
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

function split(members: Members, table: Table): { readonly left: Members; readonly taken: Members } {
  const left: Record<string, unknown> = {}
  const taken: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    const below = table[name]
    if (below === true) taken[name] = value
    else if (below === undefined || !isObject(value) || !hasPersonalData(value, below)) left[name] = value
    else {
      const parts = split(value, below)
      taken[name] = parts.taken
      if (Object.keys(parts.left).length > 0) left[name] = parts.left
    }
  }
  return { left, taken }
}

interface Order {
  readonly [member: string]: Order
}

/** The members as the schema lists them. */
const eventOrder = orderOf(eventSchema)

function orderOf(schema: object): Order {
  const entries = 'wrapped' in schema ? (schema.wrapped as object) : schema
  if (!('entries' in entries)) return {}
  return Object.fromEntries(Object.entries(entries.entries as object).map(([name, member]) => [name, orderOf(member)]))
}

/** Both in one, in this order; nothing that was event is changed, and of lists one follows the other. */
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
