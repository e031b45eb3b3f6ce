import { inEach } from '../../locales/catalogue.ts'
import { textsOf } from '../../locales/texts.ts'
import { siteTexts } from './site.ts'

const own = textsOf('page.catalogue', {
  title: 'Webhook events',
  lead: 'Every event that this server sends, with what causes it, an example, its headers and code that verifies it.',
  back: 'All events',
  settings: 'Webhook settings',
  description: 'Description for machines (AsyncAPI)',
  event: 'Event',
  when: 'When',
  to: 'Sent to',
  places: {
    provider: 'the endpoint of the provider',
    handoff: 'the subscriptions of the partner',
    callback: 'the callback of the request',
  },
  id: 'Id in the body',
  noId: 'none; it is in a header',
  channels: {
    tenant: 'Orders and tracking',
    order_lifecycle: 'Order life cycle',
    driver_location: 'Driver positions',
    device_order: 'Device orders',
    provider_locker: 'Lockers of a provider',
    third_party_delivery: 'Third-party deliveries',
    order_handoff: 'Order handoffs',
    callback: 'Callbacks of requests',
    shop: 'Shops',
  },
  example: 'Example',
  signed: 'The signatures are real: made with the secret “{secret}” over the body as it is sent, in one line.',
  forms: {
    native: 'Plain JSON',
    ce_binary: 'CloudEvents, in headers',
    ce_structured: 'CloudEvents, in the body',
    standard: 'With Standard Webhooks',
  },
  headers: 'Headers',
  header: 'Header',
  always: 'always',
  sometimes: 'where it applies',
  verify: 'Verify it',
  verifyHint:
    'Pass the bytes of the body as they came, the secret, and the time in Unix seconds. Names of headers are in lower case.',
  native: 'The signature that is always there',
  missing: 'This server sends no event of this name.',
})

/** The texts of the catalogue of webhook events. What causes an event is in English, as in the description for machines. */
export const catalogueTexts = inEach((language) => ({ ...own(language), copying: siteTexts(language).copying }))

/** The texts of the catalogue in one language. */
export type CatalogueTexts = ReturnType<typeof catalogueTexts>
