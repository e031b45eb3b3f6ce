import type { GenericSchema } from 'valibot'
import type { Channel, UrlField } from './channel.ts'
import type { Facts, Ports } from './context.ts'
import type { RecordedEvent } from './event.ts'
import type { Members } from './members.ts'
import type { Profile } from './profile.ts'

/** Something that the outside can be told: an event of document 3. */
export interface Notice<Data extends GenericSchema = GenericSchema> {
  /** As `order.assigned`. */
  readonly name: string
  readonly channel: Channel
  /** The field of the settings whose URLs are told; the channels that have endpoints of their own have none. */
  readonly field?: UrlField
  /** When it is sent, in a sentence. */
  readonly summary: string
  /** What `data` of the body holds. */
  readonly data: Data
  /** A `data` as it may be, for the description of the interface and for test sends. */
  readonly example: Members
  /** The member of the body that names it for good; without one, a header alone does. */
  readonly idMember?: 'event_id' | 'message_id'
  /** Only ever told to the business, never to a customer. */
  readonly isInternal?: boolean
}

/** Who may be told. A shipment of a customer is told to the customer's own webhooks where it has any, else to the business's. */
export type Audience =
  | { readonly kind: 'tenant'; readonly businessId: number; readonly customerId?: number | undefined }
  | { readonly kind: 'provider'; readonly businessId: number; readonly provider: string }

/** Who reads a notice: customers are told less than the business (document 3, "What the service does"). */
export type Reader = 'business' | 'customer'

/** One thing that has happened, as it is told; made of one recorded event. */
export interface Announcement {
  /** The name of its notice. */
  readonly notice: string
  /** Names it for good, whoever is told and however often: at most 64 of `A-Z a-z 0-9 _ -`, the same each time it is made. */
  readonly id: string
  readonly audience: Audience
  /** ISO 8601, UTC. */
  readonly occurredAt: string
  /** What it is about, as `order/42`: no white space, no character beyond ASCII, nothing that somebody else may choose. */
  readonly subject: string
  /** Told at most once per interval of the endpoint for each of these, as `driver/7`; the others are passed over. */
  readonly throttle?: string
  /** Not told to a recipient whose settings have a URL in this field, which tells the same. */
  readonly skippedBy?: UrlField
  /** From the sandbox (a mock cabinet): marked, and sent to the sandbox URL where there is one. */
  readonly isSandbox?: boolean
  /** The `data` of the body for a reader. */
  data(reader: Reader): Members
}

/** What turns the recorded events of one category of streams into notices. */
export interface NoticeSource {
  readonly category: string
  /** The types of events that may be told; of others nothing is read. */
  readonly types: readonly string[]
  /** What an event tells. Reads the stream up to the event, and so tells the same each time. */
  announce(facts: NoticeFacts, event: RecordedEvent): Promise<readonly Announcement[]>
  /** Which of its events erase what was told of people, and of what subjects: their bodies are thrown away. */
  readonly forgets?: {
    readonly types: readonly string[]
    subjects(facts: NoticeFacts, event: RecordedEvent): Promise<readonly string[]>
  }
}

/** What notices are made with. */
export type NoticeFacts = Facts & {
  /** `Context.baseUrl`. */
  readonly baseUrl: string
  readonly ports: Ports
  readonly profiles: readonly Profile[]
}
