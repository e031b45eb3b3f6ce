import type { GenericSchema } from 'valibot'
import type { Channel, UrlField } from './channel.ts'
import type { Context, Facts, Ports } from './context.ts'
import type { Owner } from './endpoint.ts'
import type { RecordedEvent } from './event.ts'
import type { Members } from './members.ts'
import type { Profile } from './profile.ts'

/** A type of webhook event (document 3). */
export interface WebhookEventType<Data extends GenericSchema = GenericSchema> {
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
 * The possible recipients. Webhook events about a customer's shipment go to the customer's own webhooks if there are any,
 * otherwise to the business.
 */
export type Audience =
  | {
      readonly kind: 'tenant'
      readonly businessId: number
      readonly customerId?: number | undefined
      /** The shop that hears of it in any case. */
      readonly shop?: number | undefined
    }
  | { readonly kind: 'provider'; readonly businessId: number; readonly provider: string }
  /** The one that gave a callback with a request. */
  | { readonly kind: 'callback'; readonly businessId: number; readonly owner: Owner }

/** The reader of a webhook event: customers receive less data than the business (document 3, "What the service does"). */
export type Reader = 'business' | 'customer'

/** A webhook event, made from one recorded event. */
export interface WebhookEvent {
  /** Name of its `WebhookEventType`. */
  readonly type: string
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
  /** The endpoint that it is about, and to which it is not sent. */
  readonly exceptTo?: string
  /** Comes from the sandbox (a mock cabinet): marked as such, and sent to the sandbox URL if there is one. */
  readonly isSandbox?: boolean
  /** The body's `data` for a reader. */
  data(reader: Reader): Members
}

/** Makes webhook events from the recorded events of one stream category. */
export interface WebhookEventSource {
  readonly category: string
  /** The types of recorded events that may have webhook events; others are not read. */
  readonly types: readonly string[]
  /** The webhook events of a recorded event. It reads the stream up to that event only, so the result never changes. */
  webhookEventsOf(facts: WebhookEventFacts, event: RecordedEvent): Promise<readonly WebhookEvent[]>
  /**
   * Further webhook events of a recorded event, about other things that it concerns: these may be thousands, and are made
   * and saved page by page. What is made again after a crash has the same ids.
   */
  furtherEventsOf?(facts: WebhookEventFacts, event: RecordedEvent): AsyncIterable<WebhookEvent>
  /** The types of recorded events that erase personal data, and their subjects. Stored bodies about these are deleted. */
  readonly forgets?: {
    readonly types: readonly string[]
    subjects(facts: WebhookEventFacts, event: RecordedEvent): Promise<readonly string[]>
  }
}

/** What a source may read to make webhook events. */
export type WebhookEventFacts = Facts &
  Pick<Context, 'credentials' | 'pause'> & {
    /** `Context.baseUrl`. */
    readonly baseUrl: string
    readonly ports: Ports
    readonly profiles: readonly Profile[]
  }
