import type { Context } from '../../kernel/context.ts'
import type { Profile } from '../../kernel/profile.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Timeline, TimelineEvent } from '../../kernel/timeline.ts'

/** A timeline as far as everybody may see it. */
export interface PublicTimeline {
  readonly timeline: Timeline
  readonly profile: Profile
  /** The event that gives the status. */
  readonly current: TimelineEvent | undefined
  /** Whether what it tells of people was erased. */
  readonly isErased: boolean
}

/** What news needs of timelines. */
export interface NewsPorts {
  /** The timeline in a stream as the public sees it; undefined if the public cannot find it. */
  publicTimeline(context: Context, stream: StreamName): Promise<PublicTimeline | undefined>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly news: NewsPorts
  }
}
