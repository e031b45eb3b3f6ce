import {
  beginFollow,
  type Caller,
  type Context,
  en,
  endFollow,
  type Follow,
  type FollowEvent,
  findVisible,
  followIn,
  followsWith,
  isEngineError,
  type Policy,
  type RecordedEvent,
  type StreamName,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { lookUp } from '../node/limited.ts'
import type { Limits } from '../node/limits.ts'
import type { Link, Sender } from './link.ts'
import { commands, messagesOf, publicNumberOf, removalOf } from './topics.ts'

const operator: Caller = { kind: 'operator', name: 'mqtt', scopes: [] }

function contextOf(parts: ContextParts, requestId: string, caller = operator): Context {
  return { ...parts, caller, messages: en, requestId }
}

/** Publishes what there is to say of a follow; ends it if its timeline tells everybody nothing any more. */
async function publishFollow(parts: ContextParts, link: Link, follow: Follow): Promise<void> {
  const context = contextOf(parts, parts.randomId())
  const found = await parts.ports.news.publicTimeline(context, follow.timeline)
  if (found === undefined || found.isErased) await endFollow(context, follow.id, 'erased')
  else for (const message of messagesOf(follow, found, parts)) await link.publish(message)
}

/** Publishes what there is to say of all follows. */
export async function publishAll(parts: ContextParts, link: Link): Promise<void> {
  for (const follow of await followsWith(parts)) {
    await publishFollow(parts, link, follow)
    await parts.pause()
  }
}

/** What keeps the retained messages of a broker current: after each event of a timeline, and when a follow begins or ends. */
export function followPolicies(parts: ContextParts, link: Link): readonly [Policy, Policy] {
  return [
    {
      name: 'mqtt-timelines',
      filter: { category: 'tracking', opens: () => false },
      from: 'end',
      handle: async ({ stream }) => {
        for (const follow of await followsWith(parts, { timeline: stream as StreamName }))
          await publishFollow(parts, link, follow)
      },
    },
    {
      name: 'mqtt-follows',
      filter: { category: 'follow' },
      from: 'beginning',
      handle: async (event) => {
        const { type, data, stream } = event as RecordedEvent<FollowEvent>
        const id = followIn(stream)
        if (type === 'FollowEnded') {
          for (const message of removalOf(id)) await link.publish(message)
          return
        }
        const { owner, timeline } = data
        // It may have ended meanwhile.
        for (const follow of await followsWith(parts, { owner, timeline })) await publishFollow(parts, link, follow)
      },
    },
  ]
}

/** Follows a timeline, or ends that, as a message says. A number that leads to nothing changes nothing. */
export async function obey(
  parts: ContextParts,
  limits: Limits,
  topic: string,
  payload: Buffer,
  { caller, source, owner }: Sender,
): Promise<void> {
  const context = { ...contextOf(parts, parts.randomId(), caller), source }
  const number = payload.toString().trim()
  const stream = await streamOf(context, limits, number)
  if (stream === undefined) return
  if (topic === commands.unfollow) {
    for (const { id } of await followsWith(parts, { owner, timeline: stream }))
      await endFollow(context, id, 'unfollowed')
    return
  }
  const found = await parts.ports.news.publicTimeline(context, stream)
  const shown = found && !found.isErased ? publicNumberOf(found) : undefined
  if (shown !== undefined) await beginFollow(context, { owner, timeline: stream, number: shown })
}

async function streamOf(context: Context, limits: Limits, number: string): Promise<StreamName | undefined> {
  try {
    return await lookUp(limits, context, async () => (await findVisible(context, number)).stream)
  } catch (error) {
    if (isEngineError(error) && error.code !== 'store_unavailable') return undefined
    throw error
  }
}
