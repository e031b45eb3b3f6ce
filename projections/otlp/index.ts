import type { Projection } from '../../engine/index.ts'
import { codes } from './codes.ts'
import { pieces, project, write } from './project.ts'
import { type Trace, traceSchema } from './schema.ts'

/** OpenTelemetry: the journey as a trace that any back end of OTLP takes at `POST /v1/traces`. */
export const otlp: Projection<Trace> = {
  name: 'otlp',
  title: 'OpenTelemetry OTLP traces',
  standard: 'OTLP 1.11 (JSON)',
  version: '1',
  representations: [],
  kind: 'history',
  external: true,
  codes,
  losses: [
    'A timeline without an event in force has no span, and nothing of it is told.',
    'Spans begin and end between 1970 and 2262; an instant outside of that stands as it was in its attribute alone.',
  ],
  schema: traceSchema,
  project,
  write,
  pieces,
}
