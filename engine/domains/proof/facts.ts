import type { EventBase } from '../../entity/machine.ts'
import type { Event } from '../../kernel/event.ts'
import type { ProofFileKind } from '../../kernel/proof-file.ts'

/** What every fact about a file says: when (ISO 8601, UTC), by whose account, and which file. */
interface FileEventBase extends EventBase {
  readonly file_id: number
}

/** What staff did to a file: facts of the stream of its order. URLs are missing once they were erased. */
export type ProofFileFact =
  | Event<
      'ProofFileAdded',
      FileEventBase & { readonly kind: ProofFileKind; readonly personal?: { readonly url: string } }
    >
  /** The file has another image, its version of this number, from 2 on; the image before is archived. */
  | Event<
      'ProofFileReplaced',
      FileEventBase & { readonly version: number; readonly personal?: { readonly url: string } }
    >
  /** The archived version of this number, from 1 on, is the image again. */
  | Event<'ProofFileRestored', FileEventBase & { readonly version: number }>
  | Event<'ProofFileRemoved', FileEventBase>

/** The order of the files, as it was created. */
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

/** A driver or a carrier did something that files may prove. */
export type ProofBrought = Event<
  'ProofBrought',
  {
    /** The event of the timeline that says so, and its status code; no code where the timeline says nothing. */
    readonly event_id: string
    readonly status_code?: string | undefined
    readonly photo_urls: readonly string[]
    readonly signature_url?: string | undefined
  }
>

/** What concerns the proof of an order, of all that happened to the order. */
export type ProofFact =
  | OrderCreated
  | ProofBrought
  | ProofFileFact
  | Event<'OrderDeleted' | 'OrderPersonalDataErased', object>
