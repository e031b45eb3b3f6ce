import { type Batch, ceilingOf, writingCases } from '../adapters/cli/bench/writing.ts'
import type { Projection, Target } from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { projections } from '../projections/index.ts'
import { formCase, isQuick, plainCase, readingCases, xmlCases } from './formats/cases.ts'
import { identified, longTimeline, timelinesOfTen } from './formats/samples.ts'
import type { Case, Prepared, Settings, Topic } from './harness.ts'
import { epcisPeers, idsOf } from './peers/epcis.ts'
import { jsonldPeer } from './peers/jsonld.ts'
import { otlpPeers } from './peers/otlp.ts'
import { timelineLength } from './timelines.ts'

/** The short timelines of a run and its number of passes, also for slow formats. */
const counts = { short: 200, passes: 12, slow: 40 }

/** Events of the long timeline. */
const longLength = 1_000

const target: Target = { baseUrl: 'https://otep.example', options: {} }

/** Other programs that write the same documents, by format. */
const peers: Readonly<Record<string, (batch: Batch, peer: Settings['peer']) => readonly Case[]>> = {
  epcis: (batch, peer) => [...epcisPeers(batch, peer), ...jsonldPeer(batch, peer)],
  otlp: otlpPeers,
}

/** A topic for every format, with its token. */
export const formatTopics: readonly Topic[] = projections.map((format) => ({
  name: format.name,
  summary: `the format ${format.title}, from timelines to bytes${format.parse === undefined ? '' : ' and back'}`,
  unit: 'event',
  prepare: (settings) => prepare(format, settings),
}))

async function prepare(format: Projection, { scale, progress, peer }: Settings): Promise<Prepared> {
  progress('preparing timelines')
  const passes = Math.max(1, Math.round(counts.passes * scale))
  const timelines = await timelinesOfTen(Math.max(2, Math.round(counts.short * scale)))
  const short = { name: `${timelineLength} events`, timelines, target, passes }
  const few = { ...short, timelines: timelines.slice(0, counts.slow), passes: 1 }
  const length = Math.max(2 * timelineLength, Math.round(longLength * scale))
  const long = { name: `${length} events`, timelines: [await longTimeline(length)], target, passes }
  compare(format, short)
  const forms = format.representations.map((form) => formCase(format, form, isQuick(format, form, short) ? short : few))
  const peersOf = peers[format.name] ?? (() => [])
  const cases = [
    ...writingCases(format, short),
    plainCase(format, short),
    ...forms,
    ...peersOf(few, peer),
    ...writingCases(format, long),
    ...peersOf({ ...long, passes: 1 }, peer),
    ...(format === epcis ? knownIds(short, few, peer) : []),
    ...(format.parse === undefined ? [] : [...readingCases(format, short), ...(await xmlCases(format, few, short))]),
  ]
  return { cases, notes: [noteOn(format, short)], close: async () => {} }
}

/** EPCIS events whose ids are known, which need not be made. */
function knownIds(short: Batch, few: Batch, peer: Settings['peer']): readonly Case[] {
  const known = (batch: Batch): Batch => ({
    ...batch,
    name: `${batch.name}, ids known`,
    timelines: identified(batch.timelines, (timeline) => idsOf(epcis.project(timeline, target))),
  })
  return [...writingCases(epcis, known(short)), ...epcisPeers(known(few), peer)]
}

/** The case and its ceiling give the same texts, and repeated runs do too. */
function compare(format: Projection, { timelines }: Batch): void {
  for (const timeline of timelines) {
    const text = JSON.stringify(format.project(structuredClone(timeline), target))
    if (format.write(timeline, target) !== text) throw new Error(`${format.name} is not written as it is projected.`)
  }
}

function noteOn(format: Projection, batch: Batch): string {
  const sizes = batch.timelines.map((timeline) => Buffer.byteLength(JSON.stringify(format.project(timeline, target))))
  const bytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length)
  return (
    `${batch.timelines.length} timelines of ${timelineLength} events, ${bytes} bytes of JSON each; in memory, without a server, ` +
    `and all of them to bytes. The format is held against "${ceilingOf(batch)}", a peer against the format.`
  )
}
