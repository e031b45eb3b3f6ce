import { repeat } from '../adapters/cli/bench/writing.ts'
import {
  createMemoryStore,
  fold as folded,
  type RecordedEvent,
  statusOf,
  statusOfFacts,
  type TrackingEvent,
  timelineOf,
  tracking,
} from '../engine/index.ts'
import { parcel } from '../profiles/index.ts'
import { streamOf } from './facts.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { impersonal } from './impersonal.ts'
import { foldPeers } from './peers/fold.ts'
import { contextOn, ingestLines } from './rows.ts'
import { wholeTimelines } from './timelines.ts'

/** Folds of recorded events that are in memory, without a store. */
export const fold: Topic = {
  name: 'fold',
  summary: 'recorded events in memory, folded to a status and to a timeline, against other event-sourcing libraries',
  unit: 'event',
  prepare,
}

/** The timelines of a run, and its number of passes. */
const counts = { timelines: 200, passes: 20 }

type History = readonly RecordedEvent<TrackingEvent>[]

async function prepare({ scale, progress, peer }: Settings): Promise<Prepared> {
  progress('preparing timelines')
  const parcels = Math.max(2, Math.round(counts.timelines * scale))
  const store = createMemoryStore(Date.now)
  await ingestLines(contextOn(store), impersonal(wholeTimelines(parcels)))
  const histories = await Promise.all(
    Array.from({ length: parcels }, async (_, index) => (await store.read(streamOf(index))) as History),
  )
  compare(histories)
  const units = counts.passes * histories.reduce((sum, events) => sum + events.length, 0)
  const caseOf = (name: string, work: (events: History) => unknown): Case => ({
    name,
    run: () => measured(units, () => repeat(counts.passes, histories, work)),
  })
  const peers = await foldPeers(histories, counts.passes, 'fold', peer)
  const cases = [
    { ...caseOf('fold', statusIn), reference: [limit, ...peers.map(({ name }) => name)] },
    { ...caseOf('status alone', statusAlone), reference: [limit, 'fold', ...peers.map(({ name }) => name)] },
    { ...caseOf('fold and timeline', (events) => timelineOf(folded(tracking, events), parcel)), reference: 'fold' },
    caseOf(limit, lastCodeOf),
    ...peers,
  ]
  return { cases, notes: [note], close: async () => {} }
}

const limit = 'one loop over the codes'

function statusIn(events: History) {
  return statusOf(folded(tracking, events), parcel)
}

function statusAlone(events: History) {
  return statusOfFacts(events, parcel)
}

function lastCodeOf(events: History): string {
  let last = ''
  for (const { type, data } of events) if (type === 'TrackingEventRecorded') last = data.event.status_code
  return last
}

function compare(histories: readonly History[]): void {
  for (const events of histories)
    if ([statusIn, statusAlone].some((fold) => fold(events).current_status !== lastCodeOf(events)))
      throw new Error('The folds come to different answers.')
}

const note =
  'The same recorded events, ten a timeline and nothing of people in them, folded to the same answer: the status, and whether it is a delivery. Ours is ' +
  'the whole fold that everything else rests on: events by name, each once, with what later facts added or withdrew, in ' +
  'order of occurrence, identifiers of the subject, and the status that the rules of the profile give. "Status alone" gives the same ' +
  'status without the rest, as long as each event occurred after the one before it. The peers fold from ' +
  'their own store in memory, with the same reducer, and with one that their users would write, which takes the code of each ' +
  'event over in order of recording. The loop does the same without a library, and is the limit of that.'
