import type { Context } from '../../kernel/context.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { idInStream, type StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** The tracing back end has these spans of a journey, or refused them for good. */
type SpansSent = Event<'SpansSent', { readonly at: string; readonly spans: readonly string[] }>

/** The shape of the event. */
export const spansSentShapes: ShapesOf<SpansSent> = { SpansSent: { at: 'text', spans: 'list' } }

/** The stream of what was sent of a timeline. */
function streamOf(timeline: string): StreamName {
  return `trace-${idInStream(timeline)}`
}

/** The ids of the spans that were sent of a timeline. */
export async function sentSpansOf(store: EventStore, timeline: string): Promise<ReadonlySet<string>> {
  const events = (await store.read(streamOf(timeline))) as readonly RecordedEvent<SpansSent>[]
  return new Set(events.flatMap(({ data }) => data.spans))
}

/** Notes spans of a timeline after they were sent. A crash in between sends them again, unchanged. */
export async function noteSpansSent(context: Context, timeline: string, spans: readonly string[]): Promise<void> {
  const event: SpansSent = { type: 'SpansSent', data: { at: isoOf(context.clock()), spans } }
  await context.store.append(streamOf(timeline), [toNewEvent(context)(event)], 'any')
}
