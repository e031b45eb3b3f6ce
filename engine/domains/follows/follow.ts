import type { Context } from '../../kernel/context.ts'
import { dueIn } from '../../kernel/due.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { deriveNumber } from '../../kernel/id.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** A timeline that somebody follows, and the number by which it was named. */
export interface Follow {
  readonly id: number
  readonly owner: string
  readonly timeline: StreamName
  readonly number: string
}

type FollowBegan = Event<
  'FollowBegan',
  {
    readonly at: string
    readonly owner: string
    readonly timeline: StreamName
    readonly number: string
    /** When it ends by itself. */
    readonly ends_at: string
  }
>

type FollowEnded = Event<'FollowEnded', { readonly at: string; readonly reason: 'unfollowed' | 'erased' | 'finished' }>

/** The events of a follow; it may begin again after it has ended. */
export type FollowEvent = FollowBegan | FollowEnded

/** The shapes of these events. */
export const followEventShapes: ShapesOf<FollowEvent> = {
  FollowBegan: { at: 'text', owner: 'text', timeline: 'text', number: 'text', ends_at: 'text' },
  FollowEnded: { at: 'text', reason: 'text' },
}

/** The follows that have not ended, by owner, by timeline, and by the time when they end. */
export const followModel = {
  name: 'follows',
  version: 1,
  category: 'follow',
  columns: { follow_id: 'integer', owner: 'text', timeline: 'text', number: 'text', ends_at: 'text' },
  key: ['follow_id'],
  indexes: [['owner'], ['timeline'], ['ends_at']],
  rows: (event) => rowsOf(event as RecordedEvent<FollowEvent>),
  gone: ({ stream, type }) => (type === 'FollowEnded' ? [{ follow_id: followIn(stream) }] : []),
} as const satisfies ReadModel

function rowsOf({ stream, type, data }: RecordedEvent<FollowEvent>): readonly Row[] {
  if (type === 'FollowEnded') return []
  const { owner, timeline, number, ends_at } = data
  return [{ follow_id: followIn(stream), owner, timeline, number, ends_at }]
}

/** The id of the follow in a stream. */
export function followIn(stream: string): number {
  return Number(idInStream(stream))
}

function streamOf(id: number): StreamName {
  return `follow-${id}`
}

/** Milliseconds after which a follow ends by itself. */
const lasts = 180 * 86_400_000

/** The most timelines that one owner follows, and all together. */
export const mostFollows = { owner: 200, all: 10_000 }

type Recording = Pick<Context, 'store' | 'clock' | 'randomId' | 'caller' | 'requestId'>

/** Begins to follow a timeline; false if too many are followed. Once more changes nothing. */
export async function beginFollow(context: Context, { owner, timeline, number }: Omit<Follow, 'id'>): Promise<boolean> {
  const { models, clock } = context
  if ((await models.rows(followModel, { owner, timeline }, 1)).length > 0) return true
  if ((await models.rows(followModel, { owner }, mostFollows.owner)).length >= mostFollows.owner) return false
  if ((await models.rows(followModel, {}, mostFollows.all)).length >= mostFollows.all) return false
  const at = clock()
  const data = { at: isoOf(at), owner, timeline, number, ends_at: isoOf(at + lasts) }
  await record(context, deriveNumber('follow', owner, timeline), { type: 'FollowBegan', data })
  return true
}

/** Ends a follow, if it has not ended. */
export async function endFollow(context: Recording, id: number, reason: FollowEnded['data']['reason']): Promise<void> {
  await record(context, id, { type: 'FollowEnded', data: { at: isoOf(context.clock()), reason } })
}

/** A follow begins only where it has ended, and ends only where it has begun. */
async function record(context: Recording, id: number, event: FollowEvent): Promise<void> {
  const { store } = context
  await retryOnConflict(async () => {
    const [last] = await store.read(streamOf(id), { backwards: true, limit: 1 })
    const isActive = last?.type === 'FollowBegan'
    if (isActive === (event.type === 'FollowBegan')) return
    await store.append(streamOf(id), [toNewEvent(context)(event)], last?.revision ?? 'no-stream')
  })
}

/** The follows of a timeline, of an owner, or all. */
export async function followsWith(
  { models }: Pick<Context, 'models'>,
  where: Partial<Pick<Follow, 'owner' | 'timeline'>> = {},
): Promise<readonly Follow[]> {
  const rows = await models.rows(followModel, where)
  return rows.map(({ follow_id, owner, timeline, number }) => ({
    id: Number(follow_id),
    owner: String(owner),
    timeline: timeline as StreamName,
    number: String(number),
  }))
}

/** Follows whose time is over before an instant. */
export const dueFollows = dueIn(followModel, 'ends_at')
