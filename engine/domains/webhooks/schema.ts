import * as v from 'valibot'
import { bodyFormats } from '../../kernel/endpoint.ts'
import { filterProblem, where } from '../../kernel/event-filter.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { named } from '../../kernel/named.ts'
import { distinct, email, refusing } from '../../kernel/schemas.ts'
import { isMasked, maskedSecret, secretProblem } from '../../kernel/signing-secret.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import type { Settings } from './settings.ts'
import type { SettingsChanges } from './settings-decider.ts'
import {
  fieldProblem,
  joinUrls,
  maxFieldLength,
  maxUrls,
  placeProblem,
  splitNames,
  splitUrls,
  urlFieldNames,
  urlProblem,
} from './urls.ts'

/** A secret chosen by the user. */
export const ownSecret = v.pipe(v.string(), v.maxLength(512), refusing(secretProblem))

/** A secret chosen by the user, or the mask of the current one. */
export const secretOrMask = v.pipe(
  v.string(),
  v.maxLength(512),
  refusing((text) => (isMasked(text) ? undefined : secretProblem(text))),
  v.description(
    '16 to 256 characters; 32 random bytes are recommended. A new secret replaces the previous one, which also signs Standard Webhooks for another 24 hours. The mask from an answer keeps the current secret.',
  ),
)

/** A webhook URL. */
export const oneUrl = v.pipe(v.string(), v.maxLength(2048), refusing(urlProblem), v.metadata({ format: 'uri' }))

/** A webhook URL, or a queue. */
const urlOrQueue = v.pipe(v.string(), v.maxLength(2048), refusing(placeProblem), v.metadata({ format: 'uri' }))

/** How a body is sent. */
export const bodyFormat = v.pipe(
  v.picklist(bodyFormats),
  v.description(
    'native: the body as it is; ce_binary: with CloudEvents attributes as headers; ce_structured: in a CloudEvent.',
  ),
)

/** Whether Standard Webhooks headers are sent too. */
export const standardSignature = v.pipe(
  v.boolean(),
  v.description('Whether Standard Webhooks headers are sent in addition to the native ones.'),
)

/** Whether the events of a subject are sent one after the other. */
export const inOrder = v.pipe(
  v.boolean(),
  v.description(
    'Whether the events about one subject are sent one after the other: the next one only when the one before it was delivered or given up. Default: false.',
  ),
)

/** Whether an ed25519 key signs too. */
export const ed25519 = v.pipe(
  v.boolean(),
  v.description(
    'Whether Standard Webhooks also has signatures (v1a) that the public_keys of the answer verify. With standard_signature only. Default: false.',
  ),
)

/** A settings field that holds URLs. */
export const urlField = v.picklist(urlFieldNames)

function urlsOf(subject: string) {
  return v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(maxFieldLength),
      refusing(fieldProblem),
      v.description(
        `URLs for ${subject}. At most ${maxUrls}, separated by commas; empty for none. pull: and a name is a queue, which you read.`,
      ),
    ),
  )
}

function namesOf(subject: string, known: readonly string[]) {
  return v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(2_000),
      refusing((text) =>
        splitNames(text).every((name) => known.includes(name)) ? undefined : 'webhook_event_unknown',
      ),
      v.description(`The only ${subject} that are sent, as names separated by commas; empty for all.`),
    ),
  )
}

const interval = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(1),
  v.maxValue(86_400),
  v.description('Minimum number of seconds between two positions of one driver. Initially 60.'),
)

const businessCopy = v.pipe(
  v.boolean(),
  v.description("For a customer: whether the business also receives the events of the customer's webhooks."),
)

const disableAfter = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.maxValue(60),
  v.description(
    "Days of failure after which a URL is switched off, its providers' too; what is due waits. 0, as initially, for never.",
  ),
)

const healthEmails = v.pipe(
  v.array(email),
  v.maxLength(5),
  distinct(),
  v.description(
    'E-mail addresses that get a notice of webhook URLs that fail, are switched off or have recovered. At most 5.',
  ),
)

const urlFormats = v.pipe(
  v.array(
    named(
      'WebhookUrlFormat',
      v.strictObject({
        ...{ field: urlField, url: urlOrQueue, format: bodyFormat, standard_signature: standardSignature },
        in_order: v.exactOptional(inOrder),
        ed25519: v.exactOptional(ed25519),
        where: v.exactOptional(where),
      }),
    ),
  ),
  v.maxLength(maxUrls * urlFieldNames.length),
  v.description('The formats of all URLs, as a complete list. URLs that are not listed receive the body as it is.'),
)

/** The input members of a change of settings; omitted members keep their values. */
export function settingEntries(eventTypes: readonly WebhookEventType[]) {
  const namesIn = (channel: WebhookEventType['channel']) =>
    eventTypes.filter((eventType) => eventType.channel === channel).map(({ name }) => name)
  return {
    webhook_sign_secret: v.exactOptional(secretOrMask),
    order_create_webhook_url: urlsOf('created local delivery orders'),
    order_status_change_webhook_url: urlsOf('status changes of orders'),
    tracking_event_webhook_url: urlsOf('tracking events of packages'),
    order_create_async_postback_url: urlsOf('finished batch imports'),
    pod_files_webhook_url: urlsOf('files of a proof of delivery that are added, replaced or removed'),
    order_deleted_webhook_url: urlsOf('permanently deleted orders'),
    order_cancel_failed_webhook_url: urlsOf('refused attempts to cancel an order'),
    route_board_webhook_url: urlsOf('changes on the route board (business only)'),
    endpoint_health_webhook_url: urlsOf('URLs of webhooks that fail, are switched off or have recovered'),
    endpoint_health_emails: v.exactOptional(healthEmails),
    device_order_webhook_url: urlsOf('device orders'),
    device_order_events: namesOf('device order events', namesIn('device_order')),
    order_lifecycle_webhook_url: urlsOf('the life cycle of orders and the duty changes of drivers'),
    order_lifecycle_events: namesOf('life-cycle events', namesIn('order_lifecycle')),
    driver_location_webhook_url: urlsOf('positions of drivers (business only)'),
    driver_location_min_interval_sec: v.exactOptional(interval),
    url_formats: v.exactOptional(urlFormats),
    business_copy: v.exactOptional(businessCopy),
    disable_failing_after_days: v.exactOptional(disableAfter),
  }
}

type SettingsInput = v.InferOutput<v.StrictObjectSchema<ReturnType<typeof settingEntries>, undefined>>

/** What is wrong with the filters of URLs. */
export function filterFindings(
  { url_formats = [] }: Pick<SettingsInput, 'url_formats'>,
  eventTypes: readonly WebhookEventType[],
): readonly Finding[] {
  return url_formats.flatMap(({ field, where }, index) => {
    const ofField = eventTypes.filter((eventType) => eventType.field === field)
    const code = where === undefined ? undefined : filterProblem(where, ofField)
    return code === undefined ? [] : [{ path: pathTo(pathTo('url_formats', index), 'where'), code }]
  })
}

/** The requested changes. */
export function changesOf(input: SettingsInput): SettingsChanges {
  const { webhook_sign_secret: secret, device_order_events, order_lifecycle_events } = input
  const { driver_location_min_interval_sec, url_formats, business_copy, disable_failing_after_days } = input
  const { endpoint_health_emails } = input
  const fields = urlFieldNames.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]] as const]))
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(fields.length === 0
      ? {}
      : { urls: Object.fromEntries(fields.map(([field, text]) => [field, splitUrls(text)])) }),
    ...(device_order_events === undefined ? {} : { device_order_events: splitNames(device_order_events) }),
    ...(order_lifecycle_events === undefined ? {} : { order_lifecycle_events: splitNames(order_lifecycle_events) }),
    ...(driver_location_min_interval_sec === undefined ? {} : { driver_location_min_interval_sec }),
    ...(url_formats === undefined ? {} : { url_formats }),
    ...(business_copy === undefined ? {} : { business_copy }),
    ...(disable_failing_after_days === undefined ? {} : { disable_failing_after_days }),
    ...(endpoint_health_emails === undefined ? {} : { endpoint_health_emails }),
  }
}

/** The settings in answers. Sending them back unchanged changes nothing. */
export const settingsRecord = named(
  'WebhookSettings',
  v.strictObject({
    webhook_sign_secret: v.exactOptional(
      v.pipe(v.string(), v.description('Masked secret; missing before the first one.')),
    ),
    ...v.entriesFromList(urlFieldNames, v.string()),
    route_board_webhook_url: v.exactOptional(v.string()),
    device_order_events: v.string(),
    order_lifecycle_events: v.string(),
    driver_location_min_interval_sec: interval,
    url_formats: urlFormats,
    business_copy: v.exactOptional(businessCopy),
    disable_failing_after_days: disableAfter,
    endpoint_health_emails: healthEmails,
  }),
)

/** Converts settings to `settingsRecord`. */
export function settingsOf({ values, keys: [newest] }: Settings, customerId: number | undefined) {
  const isOfCustomer = customerId !== undefined
  const fields = urlFieldNames.filter((field) => !(isOfCustomer && field === 'route_board_webhook_url'))
  return {
    ...(newest === undefined ? {} : { webhook_sign_secret: maskedSecret(newest.secret) }),
    ...Object.fromEntries(fields.map((field) => [field, joinUrls(values.urls[field])])),
    device_order_events: values.device_order_events.join(','),
    order_lifecycle_events: values.order_lifecycle_events.join(','),
    driver_location_min_interval_sec: values.driver_location_min_interval_sec,
    url_formats: values.url_formats,
    ...(isOfCustomer ? { business_copy: values.business_copy } : {}),
    disable_failing_after_days: values.disable_failing_after_days,
    endpoint_health_emails: values.endpoint_health_emails,
  }
}

/** The answer member for the expiry of replaced secrets. */
export const replacedEntry = {
  replaced_until: v.pipe(
    v.array(v.string()),
    v.description('When each replaced secret stops signing Standard Webhooks; empty if none still signs.'),
  ),
}

/** The answer member for what verifies ed25519 signatures. */
export const publicKeysEntry = {
  public_keys: v.pipe(
    v.array(v.string()),
    v.description(
      'What verifies the ed25519 signatures: the current key, then those of replaced secrets that still sign.',
    ),
  ),
}
