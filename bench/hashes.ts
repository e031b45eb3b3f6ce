import { type Batch, runOf } from '../adapters/cli/bench/writing.ts'
import { atOnce, type Target, type Timeline } from '../engine/index.ts'
import { eventHash } from '../projections/epcis/hash.ts'
import { epcis } from '../projections/epcis/index.ts'
import { documentInput, eventInputs } from '../projections/epcis/inputs.ts'
import { timelinesOfTen } from './formats/samples.ts'
import type { Prepared, Settings, Topic } from './harness.ts'
import { hashPeer } from './peers/epcis.ts'

/** The ids of EPCIS events, which are hashes of their content. */
export const hashes: Topic = {
  name: 'hashes',
  summary: 'the hash ids of EPCIS events (CBV 2.0), each from a ready event to its id',
  unit: 'event',
  prepare,
}

const target: Target = { baseUrl: 'https://otep.example', options: {} }

/** The timelines of a run and its number of passes; a peer gets few of them, once. */
const counts = { timelines: 200, passes: 10, few: 20 }

async function prepare({ scale, peer }: Settings): Promise<Prepared> {
  const timelines = await timelinesOfTen(Math.max(2, Math.round(counts.timelines * scale)))
  const batch: Batch = { name: 'ready events', timelines, target, passes: Math.ceil(counts.passes * scale) }
  const inputs = timelines.flatMap((timeline) => [...eventInputs(atOnce(documentInput(timeline, target)))])
  const own = { name: 'event hash ids', run: runOf(batch, inputs, eventHash) }
  const documents = timelines.slice(0, counts.few).map((timeline) => epcis.project(sameForAll(timeline), target))
  const other = hashPeer(documents, peer)
  if (other === undefined) return { cases: [own], notes: [], close: async () => {} }
  const note =
    `Of ${other.compared} ids of epcis2.js ${other.equal} are the same as ours, for events that say version 1.1 of OTEP: ` +
    'of 0.1 it takes the zero off.'
  return { cases: [{ ...own, reference: other.case.name }, other.case], notes: [note], close: async () => {} }
}

/** The same events in terms that epcis2.js reads correctly. */
function sameForAll(timeline: Timeline): Timeline {
  return { ...timeline, events: timeline.events.map((event) => ({ ...event, otep_version: '1.1' })) }
}
