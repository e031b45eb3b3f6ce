import type { BodyFormat, WebhookEventType } from '../../engine/index.ts'

/** The path of the catalogue of webhook events; below it is a page for each. */
export const catalogueHome = '/webhook-events'

/** How an event can be sent: its native body, the two forms of CloudEvents, and with Standard Webhooks beside. */
export type ExampleForm = BodyFormat | 'standard'

/** The ways in which deliveries are signed; channels may share one. */
export type Recipe = 'tenant' | 'lifecycle' | 'provider' | 'handoff' | 'callback'

/** A request with an example of an event, as the server would send it. */
export interface ExampleRequest {
  readonly form: ExampleForm
  /** With real signatures by the secret of the examples. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A header of the deliveries of an event. */
export interface DeliveryHeader {
  readonly name: string
  /** Whether every delivery has it, whatever its form. */
  readonly isAlways: boolean
  readonly description: string | undefined
}

/** What those who write a receiver need to know of an event. */
export interface EventDescription {
  readonly recipe: Recipe
  /** The secret that signs the examples. */
  readonly secret: string
  /** When the examples are signed, in Unix seconds. */
  readonly signedAt: number
  readonly requests: readonly ExampleRequest[]
  readonly headers: readonly DeliveryHeader[]
}

/** All webhook events, and what is to be known of each. */
export interface WebhookCatalogue {
  readonly eventTypes: readonly WebhookEventType[]
  /** `baseUrl` is that of the server. */
  describe(eventType: WebhookEventType, baseUrl: string): EventDescription
}
