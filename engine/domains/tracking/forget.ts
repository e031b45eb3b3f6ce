import * as v from 'valibot'
import { actorOf } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { isObject } from '../../kernel/members.ts'
import { operation } from '../../kernel/operation.ts'
import { maxCharacters } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { versionOf } from '../../kernel/upcast.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { personalOf, upcasted } from '../../store/sealed.ts'
import { tracking } from './commands.ts'
import { findStream } from './find.ts'
import { timelineName } from './identifiers.ts'
import { splitPersonal } from './personal.ts'
import { readState } from './read.ts'
import { sourcesIn } from './sources.ts'
import { splitFamily } from './split/split.ts'
import { upcasts } from './upcasts.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Erases the personal data of a timeline for good. */
export const otepForget = operation({
  name: 'otep_forget',
  summary:
    'Erase the personal data of a timeline for good, and the EPCIS events that name its subject. Its own events stay; the keys that encrypt the rest are destroyed.',
  scopes: ['otep:erase'],
  risk: 'high',
  input: v.strictObject({
    tracking_number: v.pipe(v.string(), v.minLength(1), maxCharacters(500)),
    dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only report what would be erased.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    timeline: v.pipe(v.string(), v.description('Unique name of the timeline that the number leads to now.')),
    subject: v.record(v.string(), v.union([v.string(), v.number()])),
    events: count,
    personal_events: v.pipe(count, v.description('Events with personal data at the time of the call.')),
    state: v.pipe(
      v.picklist(['not_forgotten', 'forgotten', 'already_forgotten']),
      v.description('not_forgotten only after a dry run.'),
    ),
  }),
  errors: ['timeline_not_found', 'ambiguous_identifier', 'contention', 'erasure_unfinished'],
  handle: async (context, { tracking_number, dry_run }) => {
    const stream = await findStream(context, tracking_number)
    // Reading an erased timeline destroys its key, in case a crash has left it.
    const { state: before } = await readState(context, stream)
    const facts = dry_run || before.isErased ? [] : await eraseWithSources(context, stream)
    if (!dry_run) await eraseFamily(context, stream)
    const events = before.entries.map(({ event, withdrawn }) => ({ ...event, withdrawn }))
    return {
      result: true,
      timeline: timelineName(stream),
      subject: before.subject,
      events: events.length,
      personal_events: events.filter((event) => splitPersonal(event).personal !== undefined).length,
      state: facts.length > 0 ? 'forgotten' : dry_run && !before.isErased ? 'not_forgotten' : 'already_forgotten',
    }
  },
})

/** Erases the personal data of the timeline in a stream, if it was not erased before. */
export async function eraseTimeline(context: Context, stream: StreamName): Promise<void> {
  const { state } = await readState(context, stream)
  if (!state.isErased) await eraseWithSources(context, stream)
  await eraseFamily(context, stream)
}

/** Both parts of a split timeline have facts of both, so they are erased together. */
async function eraseFamily(context: Context, stream: StreamName): Promise<void> {
  for (const other of await splitFamily(context.store, stream)) {
    const { state } = await readState(context, other)
    if (!state.isErased) await eraseWithSources(context, other)
  }
}

/**
 * Erases the source events, the addresses of those who get news, and the positions of sensors, first. If one is kept in the meantime, the stream has another revision, and they are erased
 * again; from the erasure on, none is kept any more.
 */
function eraseWithSources(context: Context, stream: StreamName) {
  return retryOnConflict(async () => {
    const { state, revision } = await readState(context, stream)
    const names = sourcesIn(state.entries.map(({ event }) => event))
    await context.ports.tracking.eraseSources(context, names)
    await context.ports.tracking.eraseNews(context, stream)
    if (state.isMeasured) await context.ports.tracking.eraseReadings(context, stream)
    return erase(context, stream, { state, revision })
  })
}

/** Records the erasure first. A crash then leaves at most an unused key, never an unexplained loss of data. */
async function erase(
  { store, clock, caller, requestId, randomId }: Context,
  stream: StreamName,
  { state, revision }: Awaited<ReturnType<typeof readState>>,
) {
  const cause = { actor: actorOf(caller), correlationId: requestId }
  const command = { type: 'ErasePersonalData', at: isoOf(clock()) } as const
  const facts = tracking.decide(command, state).map((event) => ({
    ...event,
    id: randomId(),
    metadata: { ...cause, schemaVersion: versionOf(event.type, upcasts) },
  }))
  if (facts.length > 0) await store.append(stream, facts, revision)
  return facts
}

/** Whether a stored event has unsealed personal data, because it was recorded before sealing existed. */
export function isInPlainText(event: RecordedEvent): boolean {
  return isObject(personalOf(upcasted(event, upcasts)))
}
