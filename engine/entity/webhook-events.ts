import * as v from 'valibot'
import type { Channel, UrlField } from '../kernel/channel.ts'
import { fold } from '../kernel/decider.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { Audience, WebhookEvent, WebhookEventSource, WebhookEventType } from '../kernel/webhook-event.ts'
import type { Kind } from './access.ts'
import {
  type Entity,
  everybody,
  type Field,
  type Move,
  type MoveWebhook,
  type Part,
  settingOf,
  type Values,
  type View,
} from './field.ts'
import { isChange, narrowedType } from './input.ts'
import { idOf } from './list.ts'
import { type EntityEvent, isAbout, isEffectOf, ofOne, timeIn } from './machine.ts'
import { besideRecord, firstMove, recordOf, recordSchemaOf } from './record.ts'

/** How the webhook events of an entity are sent. */
export interface Sending {
  readonly channel: Channel
  /** The field of the settings whose URL receives them, for channels without their own endpoints. */
  readonly field?: UrlField
  /** In front of the ids of its events, as `PLE`. */
  readonly prefix: string
  /** The member that has the id. */
  readonly idMember: 'event_id' | 'message_id'
  audience(state: Values): Audience
  /** The member that holds the record; without it, the members of the record are those of the event. */
  readonly member?: string
  /** Whether an entity is in the sandbox; the ids of its events then go on with `-MOCK`. */
  isSandbox?(state: Values): boolean
  /** Completes the state of an example: the moves on the shortest way to it have not set all. */
  example?(state: Values): Values
}

/** Webhook events are in UTC. */
export const business: View = { reader: 'client_admin', timeZone: 'UTC' }

/** The webhook events of an entity: one for each of its moves that has one. */
export function webhookEventTypesOf(entity: Entity, sending: Sending): readonly WebhookEventType[] {
  const eventTypes = Object.entries(entity.moves).flatMap(([name, { webhook }]) => {
    if (webhook === undefined) return []
    const { event, summary } = webhook
    const { channel, field, idMember } = sending
    const wired = { channel, ...(field && { field }), idMember } as const
    const reached = { ...exampleAfter(entity, name), ...exampleParts(entity, name) }
    const state = sending.example?.(reached) ?? reached
    const example = dataOf(entity, webhook, sending, state, business)
    return [{ name: event, ...wired, summary, data: schemaOf(entity, webhook, sending), example }]
  })
  return eventTypes.filter(({ name }, place) => eventTypes.findIndex((one) => one.name === name) === place)
}

/** What a webhook event holds. */
function schemaOf(entity: Entity, { event, part }: MoveWebhook, { member }: Sending): v.GenericSchema {
  const moves = movesTo(entity, event)
  const carried = narrowedTo(carriedBy(entity, event), moves)
  const record = recordSchemaOf(carried, moves)
  const beside = recordSchemaOf(besideRecord(carried), moves).entries
  const table = part && entity.parts?.[part.of]
  const about = table && { [part.as]: recordSchemaOf(narrowedTo(carriedBy(table, event), moves), moves) }
  return v.strictObject({ ...(member === undefined ? record.entries : { [member]: record }), ...beside, ...about })
}

/** The data of a webhook event: the entity, and the part that it is about. */
function dataOf(
  entity: Entity,
  { event, part }: MoveWebhook,
  { member }: Sending,
  state: Values,
  view: View,
  cause?: EntityEvent,
): Values {
  const carried = carriedBy(entity, event)
  const record = recordOf(carried, state, view)
  const beside = recordOf(besideRecord(carried), state, view)
  const table = part && entity.parts?.[part.of]
  const about = table && { [part.as]: recordOf(carriedBy(table, event), partIn(state, part.of, table, cause), view) }
  return { ...(member === undefined ? record : { [member]: record }), ...beside, ...about }
}

/** The part that an event is about: the one that it names, or the last. */
function partIn(state: Values, list: string, table: Part, cause: EntityEvent | undefined): Values {
  const all = state[list] as readonly Values[]
  return all.findLast((one) => cause === undefined || isAbout(table, cause, one)) ?? {}
}

/**
 * A table without parts, reduced to the fields that a webhook event carries, in the form in which it carries them: the id under
 * its own name.
 */
export function carriedBy<E extends Part>(entity: E, event: string): E {
  const carried = Object.entries(entity.fields).filter(
    ([, { webhooks }]) => webhooks === 'all' || (webhooks !== 'none' && webhooks.includes(event)),
  )
  const fields = carried.map(([name, field]) => [name, webhookForm(field)] as const)
  return { ...entity, id: '', fields: Object.fromEntries(fields), parts: {} }
}

/** A field as webhook events carry it: for everybody who reads it, and for all where it is in no answer. */
function webhookForm(field: Field): Field {
  const { webhookAs, shownTo } = field
  const shown = { ...field, shownTo: shownTo.length === 0 ? everybody : shownTo }
  if (webhookAs === undefined) return shown
  const { name, type, of, always } = webhookAs
  return { ...shown, type, of, shownAs: name, ...(always && { always }) }
}

/** A table with the bounds that a move sets its fields within; the table itself where there are several moves. */
function narrowedTo(part: Part, [move = '', ...others]: readonly string[]): Part {
  if (others.length > 0) return part
  const fields = Object.entries(part.fields).map(([name, field]) => {
    const type = narrowedType(settingOf(field, move)) ?? field.type
    return [name, { ...field, type }] as const
  })
  return { ...part, fields: Object.fromEntries(fields) }
}

/** An example of each part that a move adds or moves, in a list. */
function exampleParts({ parts = {} }: Entity, move: string): Values {
  const moved = Object.entries(parts).filter(([, part]) => Object.hasOwn(part.moves, move))
  return Object.fromEntries(moved.map(([list, part]) => [list, [exampleAfter(part, move)]]))
}

/** The moves that a webhook event reports. */
function movesTo({ moves }: Entity, event: string): readonly string[] {
  return Object.keys(moves).filter((name) => moves[name]?.webhook?.event === event)
}

/** Makes webhook events of the events of an entity; each shows the entity as it was after the event. */
export function webhookEventSourceOf<E extends Entity>(kind: Kind<E>, sending: Sending): WebhookEventSource {
  const { entity } = kind
  const moves = Object.values(entity.moves)
  return {
    category: entity.category,
    types: [...new Set(moves.filter(({ webhook }) => webhook !== undefined).map(({ event }) => event))],
    webhookEventsOf: async ({ store }, event) => {
      if (moveIn(entity, event as RecordedEvent<EntityEvent>)?.webhook === undefined) return []
      const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
      const webhookEvent = webhookEventOf(kind, sending, history as readonly RecordedEvent<EntityEvent>[])
      return webhookEvent === undefined ? [] : [webhookEvent]
    },
    forgets: {
      types: moves.filter(({ erases }) => erases).map(({ event }) => event),
      subjects: async (_, event) => [subjectOf(entity, idOf(entity, event))],
    },
  }
}

/** What the last event of a stream is reported as; nothing where it is not. */
export function webhookEventOf<E extends Entity>(
  { entity, decider }: Kind<E>,
  sending: Sending,
  history: readonly RecordedEvent<EntityEvent>[],
): WebhookEvent | undefined {
  const event = history.at(-1)
  if (event === undefined) return undefined
  const move = moveIn(entity, event)
  const webhook = move?.webhook
  if (move === undefined || webhook === undefined) return undefined
  const id = idOf(entity, event)
  const state = fold({ ...decider, evolve: ofOne(entity, decider.evolve, id) }, history)
  if (state === undefined) return undefined
  const isSandbox = sending.isSandbox?.(state) ?? false
  return {
    type: webhook.event,
    id: `${sending.prefix}${isSandbox ? '-MOCK' : ''}-${event.id}`,
    ...(isSandbox && { isSandbox }),
    audience: sending.audience(state),
    occurredAt: timeIn(move, event.data),
    subject: subjectOf(entity, id),
    data: (reader) => {
      const view = { ...business, reader: reader === 'customer' ? 'customer' : 'client_admin' } as const
      return dataOf(entity, webhook, sending, state, view, event)
    },
  }
}

/** The move that an event is of. */
function moveIn({ moves }: Entity, { type, data }: EntityEvent): Move | undefined {
  return Object.values(moves).find((move) => move.event === type && isEffectOf({ move }, data))
}

function subjectOf({ noun }: Entity, id: number): string {
  return `${noun.replaceAll(' ', '-')}/${id}`
}

/** The state of an example of an entity after a move, by the shortest way there. */
export function exampleAfter(entity: Part, last: string): Values {
  const state: Record<string, unknown> = {}
  for (const name of [...wayTo(entity, last), last]) {
    const move = entity.moves[name] as Move
    const before = { ...state }
    for (const [field, row] of Object.entries(entity.fields)) {
      const setting = settingOf(row, name)
      if (setting === undefined || setting === 'sometimes') continue
      if (setting === 'cleared') delete state[field]
      else if (isChange(setting)) state[field] = setting.of({ [field]: setting.example } as never, before as never)
      else
        state[field] = typeof setting === 'object' && 'is' in setting ? setting.is : (move.says?.[field] ?? row.example)
    }
    if (move.to !== undefined) state.status = move.to
  }
  return state
}

/** The moves that lead from nothing to a status that a move is possible in; as few as possible. */
function wayTo(entity: Part, last: string): readonly string[] {
  const { from } = entity.moves[last] as Move
  if (from === 'nothing') return []
  const first = firstMove(entity)
  const ways = new Map<string, readonly string[]>([[entity.moves[first]?.to ?? '', [first]]])
  for (const [status, way] of ways) {
    if (from === 'any' || from.includes(status)) return way
    for (const [name, move] of Object.entries(entity.moves))
      if (move.to !== undefined && Array.isArray(move.from) && move.from.includes(status) && !ways.has(move.to))
        ways.set(move.to, [...way, name])
  }
  return [first]
}
