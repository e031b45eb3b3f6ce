import type { Context } from '../../kernel/context.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { type Timeline, type TimelineEvent, versionsOf, withVersions } from '../../kernel/timeline.ts'
import { readJoined } from './containment.ts'
import { timelineIn } from './documents.ts'
import type { RequestedFormat } from './formats.ts'
import { timelineName } from './identifiers.ts'
import { splitPersonal } from './personal.ts'

/** The name of a timeline, and the timeline for a format without personal data, for programs that keep what they get. */
export async function impersonalTimeline(
  context: Context,
  stream: StreamName,
  format: Pick<RequestedFormat, 'projection'>,
): Promise<{ readonly name: string; readonly timeline: Timeline }> {
  const timeline = timelineIn(format, await readJoined(context, stream), context)
  const { events, withdrawn_events: withdrawn, future_events: _, ...head } = timeline
  return {
    name: timelineName(stream),
    timeline: {
      ...head,
      events: events.map(impersonal),
      ...(withdrawn === undefined ? {} : { withdrawn_events: withdrawn.map(impersonal) }),
    },
  }
}

function impersonal(event: TimelineEvent): TimelineEvent {
  const { rest } = splitPersonal(event)
  const versions = versionsOf(event)
  if (versions === undefined) return rest
  return withVersions(
    rest,
    versions.map((version) => ({ ...version, event: splitPersonal(version.event).rest })),
  )
}
