import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { CallbackRegistered, EndpointEvent, SettingsEvent } from './events.ts'

/** The providers for which a business has endpoints; the URLs are only in the streams. */
export const endpointModel = {
  name: 'webhook_endpoints',
  version: 1,
  category: 'webhook',
  columns: { business_id: 'integer', provider: 'text', channel: 'text', is_set: 'integer' },
  key: ['business_id', 'provider', 'channel'],
  indexes: [],
  rows: (event) => rowsOf(event as RecordedEvent<WebhookFact>),
} as const satisfies ReadModel

type WebhookFact = EndpointEvent | SettingsEvent | CallbackRegistered

function rowsOf({ type, data }: WebhookFact): readonly Row[] {
  if (type !== 'ProviderEndpointSet' && type !== 'ProviderEndpointRemoved') return []
  const { business_id, provider, channel } = data
  return [{ business_id, provider, channel, is_set: type === 'ProviderEndpointSet' ? 1 : 0 }]
}
