import {
  type Caller,
  impersonalTimeline,
  noteSpansSent,
  type Policy,
  projectInSteps,
  type StreamName,
  sentSpansOf,
} from '../../engine/index.ts'
import { otlp } from '../../projections/otlp/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { JourneySpans, Journeys } from '../node/journeys.ts'
import type { Log } from '../node/log.ts'
import { contextAfter } from './report.ts'

const name = 'journey-traces'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/**
 * Sends each span of a journey once to a receiver of traces, after it has ended. If several events of a timeline wait, the
 * last one sends everything.
 */
export function journeyTraces(parts: ContextParts, journeys: Journeys, log: Log): Policy {
  const { store, baseUrl, profiles, pause } = parts
  return {
    name,
    filter: { category: 'tracking', opens: () => false },
    from: 'end',
    handle: async (event) => {
      const stream = event.stream as StreamName
      if ((await store.last(stream))?.id !== event.id) return
      const context = contextAfter(parts, caller, event)
      const { name: timelineName, timeline } = await impersonalTimeline(context, stream, { projection: otlp })
      const target = { baseUrl, timeline: timelineName, options: {}, profiles }
      const trace = await projectInSteps(otlp, timeline, target, pause)
      const sent = await sentSpansOf(store, stream)
      const news = without(trace, sent)
      const ids = idsOf(news)
      if (ids.length === 0) return
      if (!(await journeys.send(news))) log.warn({ policy: name, spans: ids.length }, 'spans of a journey were refused')
      await noteSpansSent(context, stream, ids)
    },
  }
}

/** A trace without these spans. */
function without({ resourceSpans }: JourneySpans, sent: ReadonlySet<string>): JourneySpans {
  return {
    resourceSpans: resourceSpans.map(({ resource, scopeSpans }) => ({
      resource,
      scopeSpans: scopeSpans.map(({ scope, spans }) => ({
        scope,
        spans: spans.filter((span) => !sent.has(span.spanId)),
      })),
    })),
  }
}

function idsOf({ resourceSpans }: JourneySpans): readonly string[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)))
}
