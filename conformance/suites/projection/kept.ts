import { readFileSync } from 'node:fs'
import { createParts } from '../../../adapters/main.ts'
import { packageFile } from '../../../adapters/node/package-files.ts'
import {
  type Answer,
  type Caller,
  type Context,
  call,
  createMemoryModels,
  createMemoryStore,
  en,
  findStream,
  otepIngest,
  type Projection,
  readTimeline,
  type Storage,
  type Timeline,
} from '../../../engine/index.ts'
import { profiles } from '../../../profiles/index.ts'
import { nameOf } from '../../../projections/shared/subject.ts'
import { baseUrl } from './samples.ts'
import type { Named } from './timelines.ts'

/** The present of every store of the suite, after all that happens in the samples: what lies ahead is in no document but our own. */
export const present = Date.parse('9999-12-31T23:59:59Z')

/** Speaks for every provider. */
const operator: Caller = { kind: 'operator', name: 'example', scopes: ['otep:ingest'] }

/** The parts of a context that an ingest does not use. */
const outside = createParts({ store: createMemoryStore(() => present) })

/** The response of an ingest, and the resulting timeline; without a timeline if nothing was recorded. */
interface Kept {
  readonly answer: Answer
  readonly store: Storage
  readonly timeline?: Timeline
}

interface Ingested {
  readonly data?: { readonly accepted: number; readonly events: readonly { readonly subject?: object }[] }
}

/** Puts a document into an empty store through the one door, and reads the timeline back. */
export async function keep(
  formats: readonly [Projection, ...Projection[]],
  document: unknown,
  format?: string,
  now = present,
): Promise<Kept> {
  const store = createMemoryStore(() => now)
  let ids = 0
  const context: Context = {
    ...outside,
    ...{ store, models: createMemoryModels(store), profiles, formats, baseUrl, caller: operator },
    ...{ clock: () => now, randomId: () => `id-${ids++}`, messages: en, requestId: 'test' },
  }
  const answer = await call(otepIngest, context, { document, ...(format === undefined ? {} : { format }) })
  const { data } = answer as Ingested
  const subject = data?.events.find((event) => event.subject !== undefined)?.subject ?? subjectIn(document)
  if (subject === undefined || (data?.accepted ?? 0) === 0) return { answer, store }
  const { timeline } = await readTimeline(context, await findStream(context, nameOf(subject).value))
  return { answer, store, timeline }
}

/** The subject of a native document. */
function subjectIn(document: unknown): object | undefined {
  const { subject, lines } = document as { readonly subject?: object; readonly lines?: readonly { subject: object }[] }
  return subject ?? lines?.[0]?.subject
}

/** Timelines after they were stored and read back; those without events are left out. */
export async function keptTimelines(
  formats: readonly [Projection, ...Projection[]],
  timelines: readonly Named[],
): Promise<readonly Named[]> {
  const kept: Named[] = []
  for (const { name, timeline } of timelines) {
    if (timeline.events.length + (timeline.withdrawn_events?.length ?? 0) === 0) continue
    const { answer, timeline: back } = await keep(formats, structuredClone(timeline))
    if (back === undefined) throw new Error(`${name} was not kept: ${JSON.stringify(answer).slice(0, 600)}`)
    kept.push({ name, timeline: back })
  }
  return kept
}

/** Sample journeys of the documentation. */
const journeyNames = [
  ...['happy-path', 'failed-then-delivered', 'returned', 'rejected', 'cancelled'],
  ...['cross-border', 'late-and-duplicate', 'status-only', 'locker-stay', 'house-move', 'meal'],
] as const

/** The timeline of a sample journey, its lines recorded one after another. */
export async function journey(formats: readonly [Projection, ...Projection[]], name: string): Promise<Timeline> {
  const text = readFileSync(packageFile(`docs/examples/${name}.ndjson`), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  const { timeline } = await keep(formats, { lines: lines.map((line) => JSON.parse(line) as unknown) })
  if (timeline === undefined) throw new Error(`the journey ${name} was not kept`)
  return timeline
}

/** The timelines of all sample journeys. */
export async function journeys(formats: readonly [Projection, ...Projection[]]): Promise<readonly Named[]> {
  const named: Named[] = []
  for (const name of journeyNames) named.push({ name: `journey ${name}`, timeline: await journey(formats, name) })
  return named
}
