import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** The place of a recorded event of which no webhook events could be made. */
export interface ParkedPlace {
  /** Id of the recorded event. */
  readonly event_id: string
  readonly stream: string
  readonly revision: number
}

/** The webhook events of a recorded event could not be built; those of later events are. */
export type WebhookEventParked = Event<
  'WebhookEventParked',
  ParkedPlace & {
    /** Type of the recorded event. */
    readonly type: string
    readonly position: string
    /** Name or code of the error, without its words. */
    readonly failure: string
    /** The business that the stream of the recorded event is of; absent if that stream does not begin with one. */
    readonly business_id?: number
    /** ISO 8601, UTC. */
    readonly at: string
  }
>

/** The webhook events of a parked event are built again; if that fails, it is parked again. */
export type WebhookEventReleased = Event<'WebhookEventReleased', ParkedPlace & { readonly at: string }>

/** The shapes of the events of parked webhook events. */
export const parkedEventShapes: ShapesOf<WebhookEventParked | WebhookEventReleased> = {
  WebhookEventParked: {
    event_id: 'text',
    stream: 'text',
    revision: 'number',
    type: 'text',
    position: 'text',
    failure: 'text',
    business_id: 'number?',
    at: 'text',
  },
  WebhookEventReleased: { event_id: 'text', stream: 'text', revision: 'number', at: 'text' },
}

/** The one stream of parked webhook events. */
export const parkedStream: StreamName = 'webhook_parked-all'
