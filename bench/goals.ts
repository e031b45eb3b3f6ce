import { ceilingOf, writingOf } from '../adapters/cli/bench/writing.ts'
import type { Projection } from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { projections } from '../projections/index.ts'
import { fairnessCases, smallHeap } from './fairness/index.ts'

/** Two cases of a topic, one of which is compared with the other. */
export interface Pair {
  readonly topic: string
  readonly of: string
  readonly to: string
}

/** Another figure of a case, of those in `Sample.figures`; of several cases the worst counts. */
export interface FigureOf {
  readonly topic: string
  readonly of: string | readonly string[]
  readonly figure: string
}

/** How far the engine should be ahead of something, or how close to it. Of several pairs the worst counts. */
export interface Goal {
  readonly work: string
  readonly against: string
  readonly bound: 'at least' | 'at most'
  readonly target: number
  readonly unit: 'x' | 'ms' | 'MiB' | 'deaths'
  readonly measure:
    | { readonly kind: 'speed' | 'cost'; readonly by: 'CPU time' | 'wall time'; readonly pairs: readonly Pair[] }
    | ({ readonly kind: 'figure' } & FigureOf)
}

const ten = { name: '10 events' }
const ready = 'JSON.stringify of the ready document'
const sdk = 'OpenTelemetry SDK and JsonTraceSerializer'
const raw = 'raw prepared inserts of the same rows'
const inParts = 'engine, as it is made'
const bare = 'bare Hono route, the same bytes'

/** Formats except EPCIS, for a history or for one folded state. */
const others = (kind: Projection['kind']) =>
  projections.filter((format) => format.kind === kind && format !== epcis).map(writing)

/** The list of goals. A ratio compares two cases of one run; none of them fails a test. */
export const goals: readonly Goal[] = [
  faster(2.5, 'EPCIS JSON to bytes, 10 events', ready, writing(epcis)),
  faster(
    50,
    'EPCIS JSON to bytes, 10 events',
    'epcis2.js setters + toString',
    pair('epcis', 'write, 10 events', 'epcis2.js, 10 events'),
  ),
  faster(
    30,
    'EPCIS JSON to bytes, 1,000 events',
    'epcis2.js setters + toString',
    pair('epcis', 'write, 1000 events', 'epcis2.js, 1000 events'),
  ),
  faster(2, 'every other JSON format that tells a history', ready, ...others('history')),
  faster(2, 'every JSON format that tells a state', ready, ...others('state')),
  faster(
    6,
    'OTLP projection to bytes',
    'OpenTelemetry SDK spans + JsonTraceSerializer',
    pair('otlp', 'write, 10 events', `${sdk}, 10 events`),
  ),
  faster(
    80,
    'event hash ids',
    'epcis2.js eventToHashedId',
    pair('hashes', 'event hash ids', 'epcis2.js, eventToHashedId'),
  ),
  faster(
    6,
    'validation of an EPCIS document, same verdicts',
    'ajv with the official schema, formats on',
    pair('validation', 'our check, own documents', 'ajv, own documents'),
    pair('validation', 'our check, official examples', 'ajv, official examples'),
  ),
  faster(
    20,
    'fold of a timeline to its status',
    'emmett and castore in memory',
    pair('fold', 'fold', 'emmett, in memory'),
    pair('fold', 'fold', 'castore, in memory'),
  ),
  faster(1, 'stored rows to projected bytes, in process', ready, pair('rows', 'rows', 'ready')),
  faster(
    0.4,
    'the same from a snapshot',
    ready,
    pair('rows', 'from its snapshot, sealed personal data', 'ready, sealed personal data'),
  ),
  faster(
    0.95,
    'HTTP read, unchanged hot timeline',
    'bare Hono route that returns the same bytes',
    pair('read', 'engine, whole timeline', bare),
  ),
  faster(
    0.45,
    'HTTP read, cold timeline from its snapshot',
    'bare Hono route that returns the same bytes',
    pair('read', 'engine, cold timeline', bare),
  ),
  faster(
    0.15,
    'HTTP read, cold timeline without a snapshot',
    'bare Hono route that returns the same bytes',
    pair('read', 'engine, first read', bare),
  ),
  faster(
    1.3,
    'HTTP 304',
    'bare Hono route that returns the same bytes',
    pair('read', 'engine, If-None-Match, 304', bare),
  ),
  dearer(
    1.15,
    'everything around a handler (ids, logs, limits, headers)',
    'bare Hono handler',
    pair('shell', 'engine, a line of the log for each request', 'bare'),
  ),
  dearer(1.15, 'the same without lines of the log', 'bare Hono handler', pair('shell', 'engine', 'bare')),
  sooner(
    0.5,
    'durable ingest, one event a request, 32 connections',
    'the same route that parses and validates but stores nothing',
    pair('ingest', 'POST of 1 event, 32 connections, durable', 'POST of 1 event, 32 connections, nothing stored'),
  ),
  sooner(0.7, 'durable ingest in calls of 1,000', raw, ingesting('1000 events a call')),
  sooner(0.6, 'durable ingest in calls of 100', raw, ingesting('100 events a call')),
  sooner(0.9, 'durable ingest in calls of 1', raw, ingesting('1 event a call')),
  sooner(
    15,
    'durable append, single',
    "emmett's SQLite store",
    pair('append', 'store, 1 event a call', "emmett's SQLite store, 1 event a call"),
  ),
  sooner(
    0.3,
    'webhooks to 64 endpoints, signed and durable',
    'undici requests of the same size, unsigned',
    pair('webhooks', 'deliveries, 64 endpoints', 'undici request, unsigned, 64 at once'),
  ),
  within(
    50,
    'ms',
    'webhooks at 500 a second, p99 from emission to receiver',
    webhook('500 a second to 1,000 endpoints'),
  ),
  within(250, 'ms', 'the same to the others where 5 % hang', webhook('500 a second to 1,000 endpoints, 5 % hang')),
  within(250, 'ms', 'the same to the others where 20 % hang', webhook('500 a second to 1,000 endpoints, 20 % hang')),
  dearer(
    1.35,
    'read at 10^6 streams',
    'itself at 10^4',
    pair('streams', 'store, 1,000,000 streams', 'store, 10,000 streams'),
  ),
  dearer(
    1.35,
    'append at 10^6 streams',
    'itself at 10^4',
    pair('growth', 'append, 1,000,000 streams', 'append, 10,000 streams'),
  ),
  dearer(
    1.25,
    'cost per event of a projection at 10,000 events',
    'itself at 10',
    pair('length', 'EPCIS in parts, 10,000 events', 'EPCIS in parts, 10 events'),
  ),
  within(50, 'ms', 'the longest read beside hostile and large requests', beside(ofHeap(''), 'max ms')),
  within(50, 'ms', 'the same with a heap of 128 MiB', beside(ofHeap(smallHeap), 'max ms')),
  within(0, 'deaths', 'processes that hostile and large requests end', beside(fairnessCases, 'deaths')),
  within(10, 'ms', '100,000 events as EPCIS, first byte', long(inParts, 'first byte ms')),
  within(64, 'MiB', '100,000 events as EPCIS, growth of memory', long(inParts, 'peak MiB')),
  faster(
    1.8,
    '100,000 events as EPCIS, rate',
    'the same, buffered',
    pair('long', inParts, 'bare Hono route, the whole document'),
  ),
  faster(
    7,
    'EPCIS XML ingest to events',
    'fast-xml-parser on the same document',
    pair('xml', 'to EPCIS events, of another maker', 'fast-xml-parser alone, of another maker'),
    pair('xml', 'to EPCIS events, of our own', 'fast-xml-parser alone, of our own'),
  ),
]

function pair(topic: string, of: string, to: string): Pair {
  return { topic, of, to }
}

function writing(format: Projection): Pair {
  return pair(format.name, writingOf(ten), ceilingOf(ten))
}

function ingesting(calls: string): Pair {
  return pair('ingest', `engine, ${calls}`, `raw insert, ${calls}`)
}

/** By CPU time, which other programs on the machine do not affect. */
function faster(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at least', target, unit: 'x', measure: { kind: 'speed', by: 'CPU time', pairs } }
}

/** By wall time: work that waits for the disk takes no CPU time. */
function sooner(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at least', target, unit: 'x', measure: { kind: 'speed', by: 'wall time', pairs } }
}

function dearer(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at most', target, unit: 'x', measure: { kind: 'cost', by: 'CPU time', pairs } }
}

function within(target: number, unit: Exclude<Goal['unit'], 'x'>, work: string, figure: FigureOf): Goal {
  return { work, against: '', bound: 'at most', target, unit, measure: { kind: 'figure', ...figure } }
}

function long(of: string, figure: string): FigureOf {
  return { topic: 'long', of, figure }
}

function beside(of: readonly string[], figure: string): FigureOf {
  return { topic: 'fairness', of, figure }
}

function ofHeap(heap: string): readonly string[] {
  return fairnessCases.filter((name) => name.endsWith(smallHeap) === (heap === smallHeap))
}

function webhook(of: string): FigureOf {
  return { topic: 'webhooks', of, figure: 'p99 ms' }
}
