import type {
  EventStore,
  Owner,
  RecordedEvent,
  WebhookEventFacts,
  WebhookEventSource,
  WebhookEventType,
} from '../../../engine/index.ts'
import type { DeliveryRepository, NewDelivery } from '../../node/deliveries.ts'
import type { Log } from '../../node/log.ts'
import type { HooksCache } from '../hooks-cache.ts'
import type { Progress } from '../progress.ts'
import type { Park } from './park.ts'
import type { RenderOptions } from './render.ts'

/** Dependencies of the fan-out. */
export interface FanOutOptions extends RenderOptions {
  /** The store with sealed events: most events are skipped and need not be decrypted. */
  readonly kept: Pick<EventStore, 'follow' | 'readAll'>
  readonly store: EventStore
  readonly facts: WebhookEventFacts
  readonly eventTypes: readonly WebhookEventType[]
  readonly sources: readonly WebhookEventSource[]
  readonly hooks: HooksCache
  /** The deliveries of a recorded event to subscriptions to EPCIS queries. */
  readonly reportsOf: (event: RecordedEvent) => Promise<readonly NewDelivery[]>
  /** The owner whose settings a stream holds; `undefined` for other streams. */
  readonly ownerOf: (stream: string) => Owner | undefined
  /** The categories of the settings streams; absent if there are recipients without settings. */
  readonly settings?: readonly string[]
  /** Keeps an event of which no webhook events can be made, until somebody has them made again. */
  readonly park: Park
  readonly repository: DeliveryRepository
  /**
   * The lease of this node. Its checkpoint tells the next node how far events were processed, whichever database that
   * node has.
   */
  readonly turn: { checkpoint: string | undefined }
  /** How far the flow has come, for those who wait for it. */
  readonly progress?: Progress
  /** Called when these endpoints have new deliveries. */
  readonly wake: (endpointIds: Iterable<string>) => void
  /** Called when these subjects were erased from the repository. */
  readonly forget: (subjects: Iterable<string>) => void
  readonly log: Log
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Retention of deliveries in milliseconds. */
  readonly memory: number
}
