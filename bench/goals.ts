import { ceilingOf, writingOf } from '../adapters/cli/bench/writing.ts'
import type { Projection } from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { projections } from '../projections/index.ts'
import { fairnessCases, smallHeap } from './fairness/index.ts'
import { dearer, type FigureOf, faster, type Goal, later, type Pair, pair, reaching, sooner, within } from './goal.ts'

const ten = { name: '10 events' }
const known = { name: '10 events, ids known' }
const ready = 'JSON.stringify of the ready document'
const sdk = 'OpenTelemetry SDK and JsonTraceSerializer'
const inParts = 'engine, as it is made'
const floor = 'bare node:http'

/** Formats except EPCIS, for a history or for one folded state. */
const others = (kind: Projection['kind']) =>
  projections.filter((format) => format.kind === kind && format !== epcis).map(writing)

const pages = ['first page', 'first page of a family', 'first page of a status']

/** What is read of registers of orders. */
const orderReads = [
  ...pages.flatMap((page) => [page, `${page}, counted`]),
  'a page in the middle',
  ...['reference', 'tracking number', 'recipient'].map((name) => `found by ${name}`),
]

/** The list of goals. A ratio compares two cases of one run; none of them fails a test. */
export const goals: readonly Goal[] = [
  faster(1.1, 'EPCIS JSON to bytes, ids hashed', ready, writing(epcis)),
  faster(2, 'EPCIS JSON to bytes, ids known', ready, pair('epcis', writingOf(known), ceilingOf(known))),
  faster(
    100,
    'EPCIS JSON to bytes, both make ids',
    'epcis2.js, warmed alike',
    pair('epcis', writingOf(ten), 'epcis2.js makes ids, 10 events'),
  ),
  faster(
    8,
    'EPCIS JSON to bytes, ids given',
    'epcis2.js, warmed alike',
    pair('epcis', writingOf(known), 'epcis2.js, 10 events, ids known'),
  ),
  faster(1.5, 'every other JSON format that tells a history', ready, ...others('history')),
  faster(1, 'every JSON format that tells a state', ready, ...others('state')),
  faster(
    5,
    'OTLP projection to bytes',
    'OpenTelemetry SDK spans + JsonTraceSerializer',
    pair('otlp', writingOf(ten), `${sdk}, 10 events`),
  ),
  faster(
    100,
    'event hash ids',
    'epcis2.js eventToHashedId',
    pair('hashes', 'event hash ids', 'epcis2.js, eventToHashedId'),
  ),
  faster(
    4,
    'validation of an EPCIS document, same verdicts',
    'ajv with the official schema, formats on',
    pair('validation', 'our verdict, own documents', 'ajv, own documents'),
  ),
  faster(
    1,
    'validation of an EPCIS document, same verdicts',
    'ajv with the official schema, formats off',
    pair('validation', 'our verdict, own documents', 'ajv, formats off, own documents'),
  ),
  faster(
    3,
    'validation of the official examples',
    'ajv with the official schema, formats on',
    pair('validation', 'our verdict, official examples', 'ajv, official examples'),
  ),
  faster(
    3,
    'fold of a timeline, the same reducer',
    'emmett and castore in memory',
    pair('fold', 'fold', 'emmett, the same reducer'),
    pair('fold', 'fold', 'castore, the same reducer'),
  ),
  faster(
    2,
    'the status of a timeline alone, against a reducer that only takes the code over',
    'emmett and castore in memory',
    pair('fold', 'status alone', 'emmett, in memory'),
    pair('fold', 'status alone', 'castore, in memory'),
  ),
  faster(
    0.25,
    'sealed rows never seen before, to projected bytes, in process',
    ready,
    pair('rows', 'rows, sealed personal data', 'ready, sealed personal data'),
  ),
  faster(
    0.4,
    'the same from a snapshot',
    ready,
    pair('rows', 'from its snapshot, sealed personal data', 'ready, sealed personal data'),
  ),
  faster(0.8, 'HTTP read, unchanged hot timeline', floor, pair('read', 'engine, whole timeline', floor)),
  faster(
    0.7,
    'HTTP read, hot, while another process commits 50 times a second',
    floor,
    pair('read', 'engine, while another process commits 50 times a second', floor),
  ),
  faster(
    0.8,
    'HTTP 304',
    `${floor} that answers 304`,
    pair('read', 'engine, If-None-Match, 304', `${floor}, If-None-Match, 304`),
  ),
  faster(0.45, 'HTTP read, cold timeline with a snapshot', floor, pair('read', 'engine, cold timeline', floor)),
  faster(0.15, 'HTTP read, the first ever of a timeline', floor, pair('read', 'engine, first read', floor)),
  dearer(
    1.15,
    'everything around a handler (ids, limits, headers, metrics), with the default log',
    'a route that makes a new Response',
    pair('shell', 'engine, a line of the log for each request', 'bare'),
  ),
  ...[
    { calls: '1000 events a call', target: 0.6 },
    { calls: '100 events a call', target: 0.6 },
    { calls: '1 event a call', target: 0.8 },
  ].map(({ calls, target }) =>
    sooner(
      target,
      `durable ingest, ${calls}`,
      'parse, AES of the same bytes, raw insert of the same rows',
      pair('ingest', `engine, ${calls}`, `parse, AES and raw insert, ${calls}`),
    ),
  ),
  ...['1 event a call', '100 events a call', '1,000 events a call'].map((calls) =>
    sooner(
      0.8,
      `durable append, ${calls}`,
      'raw insert of the same rows',
      pair('append', `store, ${calls}`, `raw insert, ${calls}`),
    ),
  ),
  sooner(
    0.5,
    'single events at 64 connections, on an event store server',
    'the bare client with as many appends',
    pair('distributed', 'POST of 1 event, 64 connections', 'bare client, an append each, 64 at once'),
  ),
  ...byOneself('POST of 1 event of a known parcel', [1, 0.8], [64, 0.7]),
  ...byOneself('POST of 1 event of a new parcel', [1, 0.5], [64, 0.5]),
  ...byOneself('POST of 100 events of 20 new parcels', [1, 0.5], [8, 0.5]),
  ...byOneself('GET of a timeline', [1, 1], [16, 2]),
  within(200, 'ms', 'a webhook of an order at one of two nodes, p95', { ...nodes('both run'), figure: 'p95 ms' }),
  within(2_000, 'ms', 'the same while nodes are killed', {
    ...nodes('a node is killed every 4 seconds'),
    figure: 'p95 ms',
  }),
  within(200, 'MiB', 'memory of a node on an event store server that took 100,000 events', {
    topic: 'many-events',
    of: '100,000 events',
    figure: 'resident MiB',
  }),
  sooner(
    0.5,
    'GET of a known timeline, on an event store server',
    'a read of a stream by the bare client',
    pair(
      'distributed',
      'GET of a timeline, one after the other',
      'bare client, a read of a stream each, one after the other',
    ),
  ),
  sooner(
    0.35,
    'webhooks to 64 endpoints, signed and durable',
    'undici requests of the same size, unsigned',
    pair('webhooks', 'deliveries, 64 endpoints', 'undici request, unsigned, 64 at once'),
  ),
  reaching(1_500, 'a second', 'webhooks to one endpoint that answers in 5 ms', {
    ...webhook('1 endpoint that answers in 5 ms'),
    figure: 'deliveries a second',
  }),
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
  faster(
    0.9,
    'lists and searches of orders where a third are labels',
    'the same where all are local deliveries',
    ...orderReads.map((read) => pair('orders', `register, ${read}`, `local deliveries alone, ${read}`)),
  ),
  within(50, 'ms', 'the longest read beside hostile and large requests', beside(ofHeap(''), 'max ms')),
  within(50, 'ms', 'the same with a heap of 128 MiB', beside(ofHeap(smallHeap), 'max ms')),
  within(0, 'deaths', 'processes that hostile and large requests end', beside(fairnessCases, 'deaths')),
  within(20, 'ms', '100,000 events as EPCIS, first byte', long(inParts, 'first byte ms')),
  within(20, 'ms', '100,000 events as EPCIS, how long others wait', long(inParts, 'others wait ms')),
  within(64, 'MiB', '100,000 events as EPCIS, growth of memory', long(inParts, 'peak MiB')),
  within(1_000, 'ms', 'until a passed deadline is noted, a few open stays', stays('100 open stays')),
  within(5_000, 'ms', 'the same with 10^5 open stays', stays('100,000 open stays')),
  within(1_000, 'ms', 'until /readyz is 200, 10^6 events', {
    ...{ topic: 'start-up', of: 'otep serve, 1,008,000 events', figure: 'ready ms' },
  }),
  later(
    1.1,
    'until /readyz is 200, 10^6 events',
    'itself with 10^4 events',
    pair('start-up', 'otep serve, 1,008,000 events', 'otep serve, 10,080 events'),
  ),
  faster(
    7,
    'EPCIS XML ingest to events',
    'fast-xml-parser on the same document',
    pair('xml', 'to EPCIS events, of another maker', 'fast-xml-parser alone, of another maker'),
    pair('xml', 'to EPCIS events, of our own', 'fast-xml-parser alone, of our own'),
  ),
]

function writing(format: Projection): Pair {
  return pair(format.name, writingOf(ten), ceilingOf(ten))
}

/** A ratio for each number of connections, to what a user would write himself. */
function byOneself(
  work: string,
  ...targets: readonly (readonly [connections: number, target: number])[]
): readonly Goal[] {
  return targets.map(([connections, target]) => {
    const name = `${work}, ${connections} at once`
    return sooner(
      target,
      `${name}, on an event store server`,
      'a service of 40 lines',
      pair('by-oneself', name, `${name}, by oneself`),
    )
  })
}

function nodes(of: string): Omit<FigureOf, 'figure'> {
  return { topic: 'two-nodes', of }
}

function long(of: string, figure: string): FigureOf {
  return { topic: 'long', of, figure }
}

function stays(of: string): FigureOf {
  return { topic: 'deadlines', of: [of, `${of}, due as it is stored`], figure: 'longest ms' }
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
