import type { Channel } from '../kernel/channel.ts'
import { fold } from '../kernel/decider.ts'
import type { RecordedEvent } from '../kernel/event.ts'
import type { Announcement, Audience, Notice, NoticeSource } from '../kernel/notice.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { Kind } from './access.ts'
import { type Entity, isChange, type Move, settingOf, type Table, type Values, type View } from './field.ts'
import { idOf } from './list.ts'
import { type EntityEvent, effectsOf, isEffectOf, ofOne } from './machine.ts'
import { firstMove, recordOf, recordSchemaOf } from './record.ts'

/** How the webhook events of an entity are sent. */
export interface Sending {
  readonly channel: Channel
  /** In front of the ids of its events, as `PLE`. */
  readonly prefix: string
  audience(state: Values): Audience
}

/** Webhook events are in UTC. */
const business: View = { reader: 'client_admin', timeZone: 'UTC' }

/** The webhook events of an entity: one for each of its moves that has one. */
export function noticesOf(entity: Entity, { channel }: Sending): readonly Notice[] {
  const notices = Object.entries(entity.moves).flatMap(([name, { webhook }]) => {
    if (webhook === undefined) return []
    const { event, summary } = webhook
    const told = carriedBy(entity, event)
    const example = recordOf(told, exampleAfter(entity, name), business)
    const data = recordSchemaOf(told, movesTo(entity, event))
    return [{ name: event, channel, summary, data, example, idMember: 'event_id' } as const]
  })
  return notices.filter(({ name }, place) => notices.findIndex((one) => one.name === name) === place)
}

/** A table with the fields that a webhook event carries. */
function carriedBy(entity: Entity, event: string): Table {
  const carried = Object.entries(entity.fields).filter(
    ([, { webhooks }]) => webhooks === 'all' || (webhooks !== 'none' && webhooks.includes(event)),
  )
  return { ...entity, fields: Object.fromEntries(carried) }
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

  function announced(event: RecordedEvent<EntityEvent>, name: string, state: Values): Announcement {
    return {
      notice: name,
      id: `${sending.prefix}-${event.id}`,
      audience: sending.audience(state),
      occurredAt: event.data.at,
      subject: subjectOf(Number(state[entity.id])),
      data: (reader) =>
        recordOf(carriedBy(entity, name), state, {
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
      const { webhook } = sent.find((one) => one.move.event === event.type && isEffectOf(one, event.data))?.move ?? {}
      if (webhook === undefined) return []
      const history = await store.read(event.stream as StreamName, { limit: event.revision + 1 })
      const one = { ...decider, evolve: ofOne(entity, decider.evolve, idOf(entity, event)) }
      const state = fold(one, history as readonly EntityEvent[])
      return state === undefined ? [] : [announced(event, webhook.event, state)]
    },
    forgets: {
      types: effects.filter(({ move }) => move.erases).map(({ move }) => move.event),
      subjects: async (_, event) => [subjectOf(idOf(entity, event))],
    },
  }
}

/** The state of an example of an entity after a move, by the shortest way there. */
export function exampleAfter(entity: Entity, last: string): Values {
  const state: Record<string, unknown> = {}
  for (const name of [...wayTo(entity, last), last]) {
    const move = entity.moves[name] as Move
    const before = { ...state }
    for (const [field, row] of Object.entries(entity.fields)) {
      const setting = settingOf(row, name)
      if (setting === undefined) continue
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
function wayTo(entity: Entity, last: string): readonly string[] {
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
