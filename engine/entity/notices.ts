import * as v from 'valibot'
import type { Channel, UrlField } from '../kernel/channel.ts'
import { fold } from '../kernel/decider.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { Announcement, Audience, Notice, NoticeSource } from '../kernel/notice.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { Kind } from './access.ts'
import {
  type Entity,
  everybody,
  type Field,
  isChange,
  type Move,
  settingOf,
  type Table,
  type Values,
  type View,
} from './field.ts'
import { idOf } from './list.ts'
import { type EntityEvent, effectsOf, isEffectOf, ofOne, timeIn } from './machine.ts'
import { besideRecord, firstMove, recordOf, recordSchemaOf } from './record.ts'

/** How the webhook events of an entity are sent. */
export interface Sending {
  readonly channel: Channel
  /** The field of the settings whose URL receives them, for channels without endpoints of their own. */
  readonly field?: UrlField
  /** In front of the ids of its events, as `PLE`. */
  readonly prefix: string
  audience(state: Values): Audience
  /** The member that holds the record; without it, the members of the record are those of the event. */
  readonly member?: string
  /** Whether an entity is in the sandbox; the ids of its events then go on with `-MOCK`. */
  isSandbox?(state: Values): boolean
  /** Values of its examples that no move on the shortest way to them sets. */
  readonly example?: Values
}

/** Webhook events are in UTC. */
export const business: View = { reader: 'client_admin', timeZone: 'UTC' }

/** The webhook events of an entity: one for each of its moves that has one. */
export function noticesOf(entity: Entity, sending: Sending): readonly Notice[] {
  const notices = Object.entries(entity.moves).flatMap(([name, { webhook }]) => {
    if (webhook === undefined) return []
    const { event, summary } = webhook
    const { channel, field } = sending
    const wired = { channel, ...(field && { field }), idMember: 'event_id' } as const
    const example = dataOf(entity, event, sending, { ...sending.example, ...exampleAfter(entity, name) }, business)
    return [{ name: event, ...wired, summary, data: schemaOf(entity, event, sending), example }]
  })
  return notices.filter(({ name }, place) => notices.findIndex((one) => one.name === name) === place)
}

/** What a webhook event holds. */
function schemaOf(entity: Entity, event: string, { member }: Sending): v.GenericSchema {
  const carried = carriedBy(entity, event)
  const moves = movesTo(entity, event)
  const record = recordSchemaOf(carried, moves)
  const { entries } = recordSchemaOf(besideRecord(carried), moves)
  return v.strictObject({ ...(member === undefined ? record.entries : { [member]: record }), ...entries })
}

function dataOf(entity: Entity, event: string, { member }: Sending, state: Values, view: View): Values {
  const carried = carriedBy(entity, event)
  const record = recordOf(carried, state, view)
  const beside = recordOf(besideRecord(carried), state, view)
  return { ...(member === undefined ? record : { [member]: record }), ...beside }
}

/** A table reduced to the fields that a webhook event carries, in the form in which it carries them. */
export function carriedBy<E extends Table>(entity: E, event: string): E {
  const carried = Object.entries(entity.fields).filter(
    ([, { webhooks }]) => webhooks === 'all' || (webhooks !== 'none' && webhooks.includes(event)),
  )
  const fields = carried.map(([name, field]) => [name, webhookForm(field)] as const)
  return { ...entity, fields: Object.fromEntries(fields) }
}

/** A field as webhook events carry it: for everybody who reads it, and for all where it is in no answer. */
function webhookForm(field: Field): Field {
  const { webhookAs, shownTo } = field
  const shown = { ...field, shownTo: shownTo.length === 0 ? everybody : shownTo }
  if (webhookAs === undefined) return shown
  const { name, type, of, always } = webhookAs
  return { ...shown, type, of, shownAs: name, ...(always && { always }) }
}

/** The moves that a webhook event reports. */
function movesTo({ moves }: Entity, event: string): readonly string[] {
  return Object.keys(moves).filter((name) => moves[name]?.webhook?.event === event)
}

/** Makes webhook events of the events of an entity; each shows the entity as it was after the event. */
export function noticeSourceOf<E extends Entity>({ entity, decider }: Kind<E>, sending: Sending): NoticeSource {
  const effects = effectsOf(entity)
  const sent = effects.filter(({ move }) => move.webhook !== undefined)
  const subjectOf = (id: number) => `${entity.noun.replaceAll(' ', '-')}/${id}`

  function announced(event: RecordedEvent<EntityEvent>, move: Move, name: string, state: Values): Announcement {
    const isSandbox = sending.isSandbox?.(state) ?? false
    return {
      notice: name,
      id: `${sending.prefix}${isSandbox ? '-MOCK' : ''}-${event.id}`,
      ...(isSandbox && { isSandbox }),
      audience: sending.audience(state),
      occurredAt: timeIn(move, event.data),
      subject: subjectOf(Number(state[entity.id])),
      data: (reader) =>
        dataOf(entity, name, sending, state, {
          ...business,
          reader: reader === 'customer' ? 'customer' : 'client_admin',
        }),
    }
  }

  return {
    category: entity.category,
    types: [...new Set(sent.map(({ move }) => move.event))],
    announce: async ({ store }, recorded) => {
      const event = recorded as RecordedEvent<EntityEvent>
      const move = sent.find((one) => one.move.event === event.type && isEffectOf(one, event.data))?.move
      if (move?.webhook === undefined) return []
      const name = move.webhook.event
      const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
      const one = { ...decider, evolve: ofOne(entity, decider.evolve, idOf(entity, event)) }
      const state = fold(one, history as readonly EntityEvent[])
      return state === undefined ? [] : [announced(event, move, name, state)]
    },
    forgets: {
      types: effects.filter(({ move }) => move.erases).map(({ move }) => move.event),
      subjects: async (_, event) => [subjectOf(idOf(entity, event))],
    },
  }
}

/** The state of an example of an entity after a move, by the shortest way there. */
export function exampleAfter(entity: Table, last: string): Values {
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
function wayTo(entity: Table, last: string): readonly string[] {
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
