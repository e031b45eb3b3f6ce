import type { Catalogue } from './catalogue.ts'
import type { EventShapes } from './event-shape.ts'
import type { Operation } from './operation.ts'
import type { ReadModel } from './read-model.ts'
import type { Upcasts } from './upcast.ts'
import type { WebhookEventSource, WebhookEventType } from './webhook-event.ts'

/** A part of the business: its name, its operations, its events, and the webhook events made from them. */
export interface Domain {
  readonly name: string
  readonly operations: readonly Operation[]
  /** Messages of its refusals and findings, in every language. */
  readonly messages?: readonly Catalogue[]
  /** The shapes of its events by their type, by stream category. */
  readonly events: Readonly<Record<string, EventShapes>>
  readonly readModels?: readonly ReadModel[]
  /** Upcasts for events of earlier versions. */
  readonly upcasts?: Upcasts
  /** Event types that erase the personal data of their stream: once one is recorded, the stream's key is destroyed. */
  readonly erasures?: readonly string[]
  /**
   * Events that the security log tells of where an operator caused them: the names of its entries by event type. The
   * operations of other callers say themselves what it tells (`Operation.audited`).
   */
  readonly audited?: Readonly<Record<string, string>>
  /** The types of its webhook events. */
  readonly webhookEventTypes?: readonly WebhookEventType[]
  /** What makes webhook events from its recorded events. */
  readonly webhookEventSources?: readonly WebhookEventSource[]
}
