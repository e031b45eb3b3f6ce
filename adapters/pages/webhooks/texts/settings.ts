import type { UrlField } from '../../../../engine/index.ts'
import { textsOf } from '../../../locales/texts.ts'

/** The title of a field, and the events that its URLs receive. */
interface FieldWords {
  readonly title: string
  readonly events: string
}

/** The words for each settings field. */
const fields = {
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
} as const satisfies Readonly<Record<UrlField, FieldWords>>

/** The label of each setting that is a number. */
const numbers = {
  driver_location_min_interval_sec: 'Seconds between two positions of one driver',
  disable_failing_after_days: 'Days of failure after which a URL is switched off; 0 for never',
}

/** The e-mail addresses that are notified of the health of URLs. */
const emails = 'E-mail addresses that are told, too, separated by commas; at most {most}'

/** Why a URL was refused, by code. */
const urlFaults = {
  malformed: 'This is not a valid URL.',
  'too long': 'This URL is too long.',
  'not https': 'This URL must begin with https://.',
  credentials: 'This URL must not contain a user name or password.',
  fragment: 'This URL must not contain a # fragment.',
  port: 'This URL uses a port that is not allowed for webhooks.',
  address: 'This URL does not lead to a public address, or its host name was not found.',
}

/** How events are sent, by member of the operations. */
const manner = {
  format: 'Format',
  signature: 'Signature',
  standard_signature: 'Standard Webhooks',
  in_order: 'In order for each subject',
  ed25519: 'Public key (ed25519)',
  where: 'Only where, such as: type in (D, P)',
}

/** The words of each signature. */
const signatures = { native: 'Plain signature', standard: 'Standard Webhooks, too' }

/** The texts of the pages of settings, and those that all pages of webhooks share, in a language. */
export const settingsTexts = textsOf('page.webhooks.settings', {
  /** What is between the parts of a list. */
  comma: ', ',
  /** A name in front of what it names. */
  named: '{name}:',
  signIn: 'To configure webhooks and see what was sent.',
  back: 'Webhook settings',
  arriving: 'Opening the webhooks',
  title: 'Webhooks',
  lead: 'This server sends a POST request to these URLs when something happens. A 2xx response confirms the delivery.',
  titleOf: 'Webhooks of {customer}',
  leadOf: 'If a customer has a URL, events about its orders go there instead of to the business.',
  tabs: {
    label: 'Webhook pages',
    settings: 'Settings',
    urls: 'Health',
    customers: 'Customers',
    providers: 'Providers',
    partners: 'Handoff partners',
    parked: 'Parked events',
    events: 'Event catalogue',
  },
  fields,
  none: 'No URL.',
  url: 'URL {index}',
  manner,
  signatures,
  publicKeys: 'Public keys',
  only: 'Only these events',
  all: 'If none is selected, all events are sent.',
  numbers,
  emails,
  copyTitle: 'Copies for the business',
  copy: 'The business also receives the events that are sent to the customer',
  save: 'Save',
  saveHint:
    'Each field takes up to {most} URLs; save one to add the next. Tests go to saved URLs. pull: and a name, such as pull:shop, is a queue that you read instead.',
  wholeNumber: 'Enter a whole number from {least} to {most}.',
  wholeNumberOrNothing: 'Enter a whole number from {least} to {most}, or nothing.',
  urlFaults,
  saved: 'Saved.',
  notSaved: 'Nothing was saved. Check {problems, plural, one {# entry} other {# entries}}.',
  problems: 'Entries to check',
  secret: {
    title: 'Signing secret',
    lead: 'Receivers use it to verify that a request comes from this server.',
    none: 'There is none yet. It is created with the first URL.',
    now: 'Secret',
    reveal: 'Reveal',
    revealHint: 'Each reveal is recorded.',
    rotate: 'Rotate',
    rotateHint: 'The new secret is used at once. For Standard Webhooks, the previous one also signs for 24 hours.',
    own: 'Your own secret (leave empty for a random one)',
    expire: 'Expire replaced keys now',
    expireHint: 'Use this if a key has leaked.',
    replaced: 'Replaced keys still sign until',
    value: 'For Standard Webhooks libraries, copy this value, not the secret you typed',
    plain: 'For the Signature header, the secret itself',
    copy: 'Copy',
    copied: 'Copied',
    rotated: 'Requests are now signed with a new secret. Reveal it to pass it on to the receivers.',
    expired: 'Replaced keys are no longer used.',
  },
  test: {
    button: 'Send test',
    of: 'Send test: {title}',
    event: 'Event of the test',
    to: 'URL of the test',
    good: 'The test was delivered: status {status} after {ms} ms.',
    bad: 'The test was not delivered: {reason}, after {ms} ms.',
    answer: 'Response',
    empty: 'The response had no body.',
    log: 'See it in the log',
  },
  customers: {
    title: 'Webhooks of customers',
    lead: 'If a customer has its own URLs, its events go there instead of to the business.',
    none: 'There are no customers.',
    own: '{urls, plural, one {# own URL} other {# own URLs}}',
    business: 'Uses the URLs of the business',
    customer: 'Customer',
    overrides: 'Events that go to its own URLs',
    copy: 'Copies for the business',
    copied: 'yes',
    notCopied: 'no',
    more: 'More',
  },
  providers: {
    title: 'Webhooks of providers',
    lead: 'One endpoint for each provider and channel, each with its own secret.',
    none: 'No provider has an endpoint yet.',
    url: 'URL',
    sandboxUrl: 'Sandbox URL (optional)',
    sandbox: 'Send sandbox events',
    add: 'Add an endpoint',
    provider: 'Provider',
    providerHint: 'Its name, as it was registered.',
    channel: 'Channel',
    exists: 'This endpoint already exists; change it below.',
    saved: 'Saved.',
    deleted: 'The endpoint was deleted.',
    remove: 'Delete…',
    removeHint: 'The provider receives no more events, waiting deliveries are skipped, and the secret is deleted.',
    removeNow: 'Delete the endpoint',
  },
  partners: {
    title: 'Subscriptions of handoff partners',
    lead: 'Partners who hand orders over subscribe to what becomes of them, or you do it for them. Secrets are not shown again.',
    none: 'No partner has subscribed yet.',
    partner: 'Partner',
    url: 'URL',
    events: 'Events',
    since: 'Since',
    actions: 'Actions',
    revoke: 'Delete',
    add: 'Subscribe a partner',
    addHint: 'The URL first has to echo a challenge that is signed with the secret.',
    done: { added: 'The partner is subscribed.', revoked: 'The subscription was deleted.' },
  },
  missing: { title: 'Page not found', lead: 'It does not exist, or this account may not see it.' },
  forbidden: {
    title: 'This account cannot do this',
    lead: 'Sign in with another account, or ask the person who manages the accounts.',
  },
})
