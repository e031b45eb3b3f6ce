import type { GenericSchema } from 'valibot'
import type { Channel, UrlField } from './channel.ts'
import type { Facts, Ports } from './context.ts'
import type { RecordedEvent } from './event.ts'
import type { Members } from './members.ts'
import type { Profile } from './profile.ts'

/** A webhook event type (document 3). */
export interface Notice<Data extends GenericSchema = GenericSchema> {
  /** For example `order.assigned`. */
  readonly name: string
  readonly channel: Channel
  /** The settings field whose URLs receive it; absent for channels with their own endpoints. */
  readonly field?: UrlField
  /** When it is sent, in a sentence. */
  readonly summary: string
  /** Schema of the body's `data`. */
  readonly data: Data
  /** Example of `data`, for the documentation and for test sends. */
  readonly example: Members
  /** The body member that identifies the event; if absent, only a header does. */
  readonly idMember?: 'event_id' | 'message_id'
  /** Only sent to the business, never to a customer. */
  readonly isInternal?: boolean
}

/**
 * The possible recipients. Notices about a customer's shipment go to the customer's own webhooks if there are any,
 * otherwise to the business.
 */
export type Audience =
  | { readonly kind: 'tenant'; readonly businessId: number; readonly customerId?: number | undefined }
  | { readonly kind: 'provider'; readonly businessId: number; readonly provider: string }

/** The reader of a notice: customers receive less data than the business (document 3, "What the service does"). */
export type Reader = 'business' | 'customer'

/** One occurrence of a notice, created from one recorded event. */
export interface Announcement {
  /** The name of its notice. */
  readonly notice: string
  /** The same for all recipients and repetitions: at most 64 of `A-Z a-z 0-9 _ -`, derived deterministically. */
  readonly id: string
  readonly audience: Audience
  /** ISO 8601, UTC. */
  readonly occurredAt: string
  /** What it is about, for example `order/42`: ASCII without white space, and no user-chosen text. */
  readonly subject: string
  /** Throttle key, for example `driver/7`: each endpoint receives at most one per interval; the others are skipped. */
  readonly throttle?: string
  /** Not sent to a recipient with a URL in this field, which receives the same information. */
  readonly skippedBy?: UrlField
  /** Comes from the sandbox (a mock cabinet): marked as such, and sent to the sandbox URL if there is one. */
  readonly isSandbox?: boolean
  /** The body's `data` for a reader. */
  data(reader: Reader): Members
}

/** Turns the recorded events of one stream category into announcements. */
export interface NoticeSource {
  readonly category: string
  /** The event types that may have announcements; other events are not read. */
  readonly types: readonly string[]
  /** The announcements of an event. Reads the stream only up to the event, so the result is always the same. */
  announce(facts: NoticeFacts, event: RecordedEvent): Promise<readonly Announcement[]>
  /** Event types that erase personal data, and the subjects they concern: stored bodies about these are deleted. */
  readonly forgets?: {
    readonly types: readonly string[]
    subjects(facts: NoticeFacts, event: RecordedEvent): Promise<readonly string[]>
  }
}

/** What announcements are created from. */
export type NoticeFacts = Facts & {
  /** `Context.baseUrl`. */
  readonly baseUrl: string
  readonly ports: Ports
  readonly profiles: readonly Profile[]
}
