import * as v from 'valibot'
import type { CarrierFailure, CarrierRefusal } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { distinct, id } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute, retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { LabelEvent } from './events.ts'
import { dueCells, type Label, type LabelCommand, labelStream, labels } from './label.ts'
import { claimedUntil, contextOf, dueWork, unclearAfter, workDeadline } from './work.ts'

/** The most labels of a manifest: all of them change in one transaction. */
export const maxLabels = 200

/** Ids of labels that are worked on together. */
export const labelIds = v.pipe(v.array(id), v.minLength(1), v.maxLength(maxLabels), distinct<number>())

interface Told {
  readonly at: string
  readonly manifest_id: number
}

/** Labels of an account are to be handed in. */
type ManifestAsked = Event<
  'ManifestAsked',
  Told & {
    readonly by: number
    readonly business_id: number
    readonly carrier_account_id: number
    readonly order_ids: readonly number[]
  }
>

/** The events of a manifest, as those of labels. */
type ManifestEvent =
  | ManifestAsked
  | Event<'ManifestTried', Told & { readonly until: string }>
  | Event<'ManifestUnclear', Told & { readonly failure: CarrierFailure; readonly next_at: string }>
  | Event<'ManifestClosed', Told & { readonly reference: string }>
  | Event<'ManifestRefused', Told & { readonly refusal: CarrierRefusal }>

type Change<One extends ManifestEvent> = One extends ManifestEvent
  ? Omit<One['data'], 'manifest_id'> & { readonly type: One['type'] }
  : never

type ManifestCommand =
  | ({ readonly type: 'AskManifest' } & ManifestAsked['data'])
  | Change<Exclude<ManifestEvent, ManifestAsked>>

/** A manifest: labels of an account that are handed in together. */
export interface Manifest {
  readonly asked: ManifestAsked['data']
  readonly dueAt: string | null
  readonly failures: number
  readonly reference?: string
  readonly refusal?: CarrierRefusal
}

/** The shapes of the events of a manifest. */
export const manifestEventShapes: ShapesOf<ManifestEvent> = {
  ManifestAsked: {
    at: 'text',
    manifest_id: 'number',
    by: 'number',
    business_id: 'number',
    carrier_account_id: 'number',
    order_ids: 'list',
  },
  ManifestTried: { at: 'text', manifest_id: 'number', until: 'text' },
  ManifestUnclear: { at: 'text', manifest_id: 'number', failure: 'text', next_at: 'text' },
  ManifestClosed: { at: 'text', manifest_id: 'number', reference: 'text' },
  ManifestRefused: { at: 'text', manifest_id: 'number', refusal: 'object' },
}

function dueAfter(event: ManifestEvent): string | null {
  if (event.type === 'ManifestAsked') return event.data.at
  if (event.type === 'ManifestTried') return event.data.until
  return event.type === 'ManifestUnclear' ? event.data.next_at : null
}

/** The decider of a manifest. What the carrier did is recorded once. */
export const manifests: Decider<Manifest | undefined, ManifestCommand, ManifestEvent> = {
  initial: () => undefined,
  evolve: (manifest, event) => {
    if (event.type === 'ManifestAsked') return { asked: event.data, dueAt: dueAfter(event), failures: 0 }
    if (manifest === undefined) return undefined
    const next = { ...manifest, dueAt: dueAfter(event) }
    if (event.type === 'ManifestUnclear') return { ...next, failures: manifest.failures + 1 }
    if (event.type === 'ManifestClosed') return { ...next, reference: event.data.reference }
    return event.type === 'ManifestRefused' ? { ...next, refusal: event.data.refusal } : next
  },
  decide: (command, manifest) => {
    if (command.type === 'AskManifest') {
      const { type: _, ...data } = command
      return [{ type: 'ManifestAsked', data }]
    }
    if (manifest === undefined) throw new EngineError('label_not_found', { label: 0 })
    const { type, ...told } = command
    const isBusy = type === 'ManifestTried' && (manifest.dueAt ?? '') > told.at
    if (manifest.dueAt === null || isBusy) return []
    return [{ type, data: { ...told, manifest_id: manifest.asked.manifest_id } } as ManifestEvent]
  },
}

/** The stream of a manifest. */
function manifestStream(id: number): StreamName {
  return `manifest-${id}`
}

/** When carriers are to be asked to close manifests. */
export const manifestModel = {
  name: 'manifests',
  version: 1,
  category: 'manifest',
  columns: { manifest_id: 'integer', is_waiting: 'integer', due_at: 'text' },
  key: ['manifest_id'],
  indexes: [['is_waiting']],
  rows: (recorded) => {
    const event = recorded as RecordedEvent<ManifestEvent>
    if (!Object.hasOwn(manifestEventShapes, event.type)) return []
    return [{ manifest_id: event.data.manifest_id, ...dueCells(dueAfter(event)) }]
  },
} as const satisfies ReadModel

/** A label, and what appends its next event. */
async function labelAppend(context: Context, id: number, command: LabelCommand): Promise<readonly Append[]> {
  const history = (await context.store.read(labelStream(id))) as readonly RecordedEvent<LabelEvent>[]
  const events = labels.decide(command, fold(labels, history)).map(toNewEvent(context))
  const expected = history.at(-1)?.revision ?? 'no-stream'
  return events.length === 0 ? [] : [{ stream: labelStream(id), events, expected }]
}

/** What asks for a manifest of labels, to be recorded in one transaction. Refuses if one of them is not open. */
export async function manifestAppends(context: Context, data: ManifestAsked['data']): Promise<readonly Append[]> {
  const { at, manifest_id, order_ids } = data
  const command = { type: 'LabelManifestAsked', at, manifest_id } as const
  const ofLabels = await Promise.all(order_ids.map((id) => labelAppend(context, id, command)))
  const events = manifests.decide({ type: 'AskManifest', ...data }, undefined).map(toNewEvent(context))
  return [{ stream: manifestStream(manifest_id), events, expected: 'no-stream' }, ...ofLabels.flat()]
}

/** A manifest, if there is one. */
export async function loadManifest({ store }: Pick<Context, 'store'>, id: number): Promise<Manifest | undefined> {
  return fold(manifests, (await store.read(manifestStream(id))) as readonly RecordedEvent<ManifestEvent>[])
}

/** Asks the carrier to close a manifest, if it is time and nobody else does; the labels change with the manifest. */
export async function workOnManifest(context: Context, id: number): Promise<void> {
  const stream = manifestStream(id)
  const tried = { type: 'ManifestTried', at: isoOf(context.clock()), until: claimedUntil(context) } as const
  if ((await execute(context.store, manifests, stream, tried, toNewEvent(context))).length === 0) return
  const manifest = await loadManifest(context, id)
  if (manifest === undefined) return
  const { by, business_id, carrier_account_id, order_ids } = manifest.asked
  const caller = await contextOf(context, by, business_id)
  const labels = (await Promise.all(order_ids.map((order) => soldLabel(context, order)))).flat()
  const outcome = await context.ports.labels.ask(caller, carrier_account_id, 'manifest', { labels }, workDeadline)
  const at = isoOf(context.clock())
  if (outcome.kind === 'failed') {
    const unclear = { type: 'ManifestUnclear', ...unclearAfter(context, manifest.failures, outcome) } as const
    await execute(context.store, manifests, stream, unclear, toNewEvent(context))
    return
  }
  const told: ManifestCommand =
    outcome.kind === 'refused'
      ? { type: 'ManifestRefused', at, refusal: outcome.refusal }
      : { type: 'ManifestClosed', at, reference: outcome.answer.manifest.reference }
  const command: LabelCommand =
    told.type === 'ManifestClosed'
      ? { type: 'LabelSubmitted', at, manifest_id: id, manifest_reference: told.reference }
      : { type: 'LabelManifestRefused', at, manifest_id: id }
  await retryOnConflict(() =>
    execute(context.store, manifests, stream, told, toNewEvent(context), async () =>
      (await Promise.all(order_ids.map((order) => labelAppend(context, order, command)))).flat(),
    ),
  )
}

/** What names a label at its carrier; nothing if it is not bought. */
export async function soldLabel(
  { store }: Context,
  id: number,
): Promise<readonly Pick<NonNullable<Label['bought']>, 'reference' | 'tracking_numbers'>[]> {
  const label = fold(labels, (await store.read(labelStream(id))) as readonly RecordedEvent<LabelEvent>[])
  if (label?.bought === undefined) return []
  const { reference, tracking_numbers } = label.bought
  return [{ reference, tracking_numbers }]
}

/** Manifests whose carrier is to be asked before an instant (epoch milliseconds), with ids after `after`, in order of id. */
export const dueManifests = dueWork(manifestModel)
