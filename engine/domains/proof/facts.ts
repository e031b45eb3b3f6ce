import type { EventBase } from '../../entity/machine.ts'
import type { Event } from '../../kernel/event.ts'
import type { ProofFileKind } from '../../kernel/proof-file.ts'

/** The common data of events about a file: when (ISO 8601, UTC), by which account, and which file. */
interface FileEventBase extends EventBase {
  readonly file_id: number
}

/** Changes of files by staff, recorded in the stream of the order. URLs are missing after an erasure. */
export type ProofFileFact =
  | Event<
      'ProofFileAdded',
      FileEventBase & { readonly kind: ProofFileKind; readonly personal?: { readonly url: string } }
    >
  /** The file got a new image with this version number, from 2; the previous image is archived. */
  | Event<
      'ProofFileReplaced',
      FileEventBase & { readonly version: number; readonly personal?: { readonly url: string } }
    >
  /** The archived version with this number, from 1, is the image again. */
  | Event<'ProofFileRestored', FileEventBase & { readonly version: number }>
  | Event<'ProofFileRemoved', FileEventBase>

/** The order of the files was created. */
export type OrderCreated = Event<
  'OrderCreated',
  {
    readonly order_id: number
    readonly business_id: number
    readonly customer_id?: number
    readonly reference?: string
    readonly tracking_number: string
    readonly external_tracking_number?: string
  }
>

/** A driver or a carrier did something and may have added files as proof. */
export type ProofBrought = Event<
  'ProofBrought',
  {
    /** The timeline event of it and its status code; no code if the timeline has no such event. */
    readonly event_id: string
    readonly status_code?: string | undefined
    readonly photo_urls: readonly string[]
    readonly signature_url?: string | undefined
  }
>

/** The events of an order that concern its proof. */
export type ProofFact =
  | OrderCreated
  | ProofBrought
  | ProofFileFact
  | Event<'OrderDeleted' | 'OrderPersonalDataErased', object>
