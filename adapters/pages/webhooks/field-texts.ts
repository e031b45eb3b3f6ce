import type { UrlField } from '../../../engine/index.ts'

/** The title of a field, and the events that its URLs receive. */
export interface FieldWords {
  readonly title: string
  readonly events: string
}

/** The words for each settings field. */
export const fields: Readonly<Record<UrlField, FieldWords>> = {
  order_create_webhook_url: {
    title: 'Order created',
    events: 'Each local delivery order that is created.',
  },
  order_status_change_webhook_url: {
    title: 'Order status changed',
    events: 'Each status change of an order: picked up, in transit, delivered, exception, cancelled.',
  },
  tracking_event_webhook_url: {
    title: 'Tracking event',
    events: 'Each tracking event of a package, with its proof of delivery.',
  },
  order_create_async_postback_url: {
    title: 'Batch import ended',
    events: 'The end of each batch import, with the result of every row.',
  },
  pod_files_webhook_url: {
    title: 'Proof of delivery files',
    events: 'Each file of a proof of delivery that is added, replaced or removed.',
  },
  order_deleted_webhook_url: { title: 'Order deleted', events: 'Each order that is deleted for good.' },
  order_cancel_failed_webhook_url: {
    title: 'Cancellation refused',
    events: 'Each attempt to cancel an order that is refused, with the reason.',
  },
  route_board_webhook_url: {
    title: 'Route board',
    events: 'Each change of a seat or of the board itself. For the business only.',
  },
  endpoint_health_webhook_url: {
    title: 'Health of URLs',
    events:
      'Each URL of webhooks that fails, is switched off because of it, or has recovered. It is told to the others.',
  },
  device_order_webhook_url: {
    title: 'Device orders',
    events: 'Parcels in machines: stored, collected, removed, overdue, and exceptions.',
  },
  order_lifecycle_webhook_url: {
    title: 'Order life cycle',
    events: 'Each step in the life of an order. For the business only, also drivers who go on or off duty.',
  },
  driver_location_webhook_url: {
    title: 'Driver positions',
    events: 'The positions of drivers, each at most once per interval. For the business only.',
  },
}

/** The label of each setting that is a number. */
export const numbers = {
  driver_location_min_interval_sec: 'Seconds between two positions of one driver',
  disable_failing_after_days: 'Days of failure after which a URL is switched off; 0 for never',
}

/** The e-mail addresses that are told of the health of URLs. */
export const emails = (most: number) => `E-mail addresses that are told, too, separated by commas; at most ${most}`

/** Why a URL was refused, by code. */
export const urlFaults: Readonly<Record<string, string>> = {
  malformed: 'This is not a valid URL.',
  'too long': 'This URL is too long.',
  'not https': 'This URL must begin with https://.',
  credentials: 'This URL must not contain a user name or password.',
  fragment: 'This URL must not contain a # fragment.',
  port: 'This URL uses a port that is not allowed for webhooks.',
  address: 'This URL does not lead to a public address, or its host name was not found.',
}
