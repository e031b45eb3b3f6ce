import type { EventStore, Notice, NoticeFacts, NoticeSource, Owner } from '../../../engine/index.ts'
import type { DeliveryBook } from '../../node/deliveries.ts'
import type { Log } from '../../node/log.ts'
import type { HooksBook } from './hooks.ts'
import type { RenderOptions } from './render.ts'

/** What the fan-out is made of. */
export interface FanOutOptions extends RenderOptions {
  /** The store as it is kept: most events pass by, and nobody has to open what they hold. */
  readonly kept: Pick<EventStore, 'follow' | 'readAll'>
  readonly store: EventStore
  readonly facts: NoticeFacts
  readonly notices: readonly Notice[]
  readonly sources: readonly NoticeSource[]
  readonly hooks: HooksBook
  /** The owner whose settings a stream holds; nothing where it holds none. */
  readonly ownerOf: (stream: string) => Owner | undefined
  /** The categories of those streams. */
  readonly settings: readonly string[]
  readonly book: DeliveryBook
  /** The turn of this node: it says to the next one how far the events were told, whichever database that one has. */
  readonly turn: { checkpoint: string | undefined }
  /** Called when there are new deliveries for these endpoints. */
  readonly wake: (endpointIds: Iterable<string>) => void
  /** Called when the book has forgotten these subjects. */
  readonly forget: (subjects: Iterable<string>) => void
  readonly log: Log
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds that deliveries are remembered. */
  readonly memory: number
}
