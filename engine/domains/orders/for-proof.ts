import type { Context, Facts } from '../../kernel/context.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { OrderCreated, OrderEvent } from './events.ts'
import { loadOrderAt } from './load.ts'
import type { Circumstances } from './schema.ts'
import { orderStream } from './streams.ts'
import { type ParcelProgress, progressAfter, timelineEventId, trackedBy } from './timeline.ts'

const proving = ['OrderPickedUp', 'OrderCompleted', 'OrderFailed', 'OrderReturned', 'OrderDeliveredByCarrier'] as const

/** The types of the events that may bring files of drivers and carriers. */
export const provingTypes: readonly string[] = proving

type Proving = Extract<OrderEvent, { readonly type: (typeof proving)[number] }>

type ProofFileFact = Extract<
  OrderEvent,
  { readonly type: 'ProofFileAdded' | 'ProofFileReplaced' | 'ProofFileRestored' | 'ProofFileRemoved' }
>

/** The files that a driver or a carrier brought, and the timeline event that they belong to. */
type ProofBrought = Event<
  'ProofBrought',
  {
    readonly event_id: string
    readonly status_code: string | undefined
    readonly photo_urls: readonly string[]
    readonly signature_url: string | undefined
  }
>

type ProofFact = (
  | OrderCreated
  | ProofBrought
  | ProofFileFact
  | Extract<OrderEvent, { readonly type: 'OrderDeleted' | 'OrderPersonalDataErased' }>
) & { readonly revision: number }

/** The members of a recorded event that place it in the proof. */
type Placed = OrderEvent & Pick<RecordedEvent, 'id' | 'revision'>

/** What concerns the proof of an order, of all that happened to it. */
export function proofFactsIn(history: readonly Placed[]): readonly ProofFact[] {
  let progress: ParcelProgress | undefined
  const facts: ProofFact[] = []
  for (const event of history) {
    facts.push(...proofFactsOf(event, progress))
    progress = progressAfter(progress, event)
  }
  return facts
}

function proofFactsOf(event: Placed, progress: ParcelProgress | undefined): readonly ProofFact[] {
  switch (event.type) {
    case 'OrderPickedUp':
    case 'OrderCompleted':
    case 'OrderFailed':
    case 'OrderReturned':
    case 'OrderDeliveredByCarrier':
      return [{ ...proofBrought(event, progress), revision: event.revision }]
    case 'OrderCreated':
    case 'ProofFileAdded':
    case 'ProofFileReplaced':
    case 'ProofFileRestored':
    case 'ProofFileRemoved':
    case 'OrderDeleted':
    case 'OrderPersonalDataErased':
      return [event]
    default:
      return []
  }
}

function proofBrought(event: Proving & Pick<RecordedEvent, 'id'>, progress: ParcelProgress | undefined): ProofBrought {
  const { photo_urls = [], signature_url }: Circumstances = event.data.personal ?? {}
  const status_code = trackedBy(event, progress)?.status_code
  return { type: 'ProofBrought', data: { event_id: timelineEventId(event), status_code, photo_urls, signature_url } }
}

/** The proof events of an order up to a revision (inclusive), for any caller. */
export async function proofFactsUpTo({ store }: Pick<Facts, 'store'>, order: number, revision: number) {
  return proofFactsIn(
    (await store.read(orderStream(order), { limit: revision + 1 })) as readonly RecordedEvent<OrderEvent>[],
  )
}

/** The facts of an order that the caller may see, and its revision; refuses with `order_not_found`. */
export async function proofFactsFor(context: Context, order: number) {
  const { revision } = await loadOrderAt(context, order)
  return { revision, facts: await proofFactsUpTo(context, order, revision) }
}

/** Records facts about files in the order's stream, which has to be at this revision. */
export async function recordProof(
  context: Context,
  order: number,
  facts: readonly ProofFileFact[],
  revision: number,
): Promise<void> {
  await context.store.append(orderStream(order), facts.map(toNewEvent<ProofFileFact>(context)), revision)
}
