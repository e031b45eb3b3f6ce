/** Delivery channels of webhook events. Each has its own endpoints, signature scheme and retry policy (document 3). */
export const channels = [
  'tenant',
  'order_lifecycle',
  'driver_location',
  'device_order',
  'provider_locker',
  'third_party_delivery',
  'order_handoff',
  'callback',
] as const

/** A delivery channel of webhook events. */
export type Channel = (typeof channels)[number]

/** The channels of deliveries that a business sees in its list. */
export const listedChannels = [...channels, 'shop'] as const

/** A channel of deliveries: of webhook events, of the results of EPCIS queries, or of what shops are sent. */
export type DeliveryChannel = Channel | 'epcis_query' | 'shop'

/** The webhook settings fields that hold URLs, and the channel of each. */
export const urlFields = {
  order_create_webhook_url: 'tenant',
  order_status_change_webhook_url: 'tenant',
  tracking_event_webhook_url: 'tenant',
  order_create_async_postback_url: 'tenant',
  pod_files_webhook_url: 'tenant',
  order_deleted_webhook_url: 'tenant',
  order_cancel_failed_webhook_url: 'tenant',
  route_board_webhook_url: 'tenant',
  endpoint_health_webhook_url: 'tenant',
  device_order_webhook_url: 'device_order',
  order_lifecycle_webhook_url: 'order_lifecycle',
  driver_location_webhook_url: 'driver_location',
} as const satisfies Readonly<Record<string, Channel>>

/** A webhook settings field that holds URLs. */
export type UrlField = keyof typeof urlFields
