import type { Context } from '../../kernel/context.ts'
import { type Profile, profileNamed } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'
import { identifiersOf, publicSubject } from './identifiers.ts'
import { readState } from './read.ts'
import { currentOf } from './timeline.ts'
import { readOf } from './visible.ts'

/** A timeline as far as everybody may see it. */
interface PublicTimeline {
  readonly timeline: Timeline
  readonly profile: Profile
  readonly current: TimelineEvent | undefined
  readonly isErased: boolean
}

/** The timeline in a stream as the public sees it; undefined if no public identifier leads to it. */
export async function publicTimeline(context: Context, stream: StreamName): Promise<PublicTimeline | undefined> {
  const { timeline } = await readOf(context, { stream, view: context.publicView })
  if (identifiersOf(publicSubject(timeline.subject)).length === 0) return undefined
  const profile = profileNamed(context.profiles, timeline.profile)
  const { state } = await readState(context, stream)
  return { timeline, profile, current: currentOf(timeline.events, profile), isErased: state.isErased }
}
