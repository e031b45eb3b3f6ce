import type { CustomHeader } from '../../../kernel/custom-headers.ts'
import type { BodyFormat } from '../../../kernel/endpoint.ts'
import type { Event } from '../../../kernel/event.ts'
import type { ShapesOf } from '../../../kernel/event-shape.ts'

/** When (ISO 8601, UTC). */
interface SubscriptionEventBase {
  readonly at: string
}

/** A partner subscribed with a URL that has echoed a challenge. */
export type HandoffSubscribed = Event<
  'HandoffSubscribed',
  SubscriptionEventBase & {
    readonly business_id: number
    /** Name of the partner's provider account. */
    readonly provider: string
    /** Counted from 1 among those of the partner. */
    readonly subscription_id: number
    /** Names of event types: at least one, none twice. */
    readonly events: readonly string[]
    readonly format: BodyFormat
    /** Whether the headers of Standard Webhooks are sent too. */
    readonly standard: boolean
    /** The signing secret, the URL and headers, which may contain a token, and conditions, which name what is in events. */
    readonly personal?: {
      readonly url: string
      readonly secret: string
      readonly headers?: readonly CustomHeader[]
      readonly where?: string
    }
  }
>

/** What happened to the subscriptions of a partner. */
export type SubscriptionEvent =
  | HandoffSubscribed
  | Event<'HandoffSubscriptionRevoked', SubscriptionEventBase & { readonly subscription_id: number }>

/** The shapes of the events of subscriptions. */
export const subscriptionEventShapes: ShapesOf<SubscriptionEvent> = {
  HandoffSubscribed: {
    at: 'text',
    business_id: 'number',
    provider: 'text',
    subscription_id: 'number',
    events: 'list',
    format: 'text',
    standard: 'flag',
  },
  HandoffSubscriptionRevoked: { at: 'text', subscription_id: 'number' },
}
