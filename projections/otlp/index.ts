import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, steps, write } from './project.ts'
import { type Trace, traceSchema } from './schema.ts'

/** OpenTelemetry: the journey as a trace that any OTLP back end accepts at `POST /v1/traces`. */
export const otlp: Projection<Trace> = {
  name: 'otlp',
  title: 'OpenTelemetry OTLP traces',
  standard: 'OTLP 1.11 (JSON)',
  version: '3',
  representations: [],
  kind: 'history',
  external: true,
  codes,
  losses: [
    'What a thing was put into or taken out of; only that an event is inherited from its container is kept.',
    'What has not ended: the last stage of a journey that goes on has no span yet, and neither has the journey.',
    'What became known of a stage or of a journey after it had ended, because a span never changes.',
    'Spans begin and end between 1970 and 2262. Only the attribute of an event keeps an instant outside of that range.',
  ],
  schema: traceSchema,
  events: ({ resourceSpans }) =>
    resourceSpans
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .filter(({ parentSpanId }) => parentSpanId !== undefined),
  project,
  steps,
  write,
  pieces,
}
