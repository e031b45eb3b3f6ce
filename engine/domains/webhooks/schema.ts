import * as v from 'valibot'
import { bodyFormats } from '../../kernel/endpoint.ts'
import type { Notice } from '../../kernel/notice.ts'
import { refusing } from '../../kernel/schemas.ts'
import { isMasked, maskedSecret, secretProblem } from '../../kernel/signing-secret.ts'
import type { Settings } from './settings.ts'
import type { SettingsChanges } from './settings-decider.ts'
import { fieldProblem, joinUrls, maxFieldLength, splitNames, splitUrls, urlFieldNames, urlProblem } from './urls.ts'

/** A secret that somebody chooses. */
export const ownSecret = v.pipe(v.string(), v.maxLength(512), refusing(secretProblem))

/** A secret that somebody chooses, or the mask of the one that is there. */
export const secretOrMask = v.pipe(
  v.string(),
  v.maxLength(512),
  refusing((text) => (isMasked(text) ? undefined : secretProblem(text))),
  v.description(
    '16 to 256 characters; 32 random bytes are well. A new one takes the place of the one before, which signs Standard Webhooks beside it for 24 hours. Its mask, as it is answered, keeps it.',
  ),
)

/** One URL to be sent to. */
export const oneUrl = v.pipe(v.string(), v.maxLength(2048), refusing(urlProblem), v.metadata({ format: 'uri' }))

/** How a body is put into a request. */
export const bodyFormat = v.pipe(
  v.picklist(bodyFormats),
  v.description(
    'The body as it is, with attributes of CloudEvents as headers (ce_binary), or in a CloudEvent (ce_structured).',
  ),
)

/** Whether the headers of Standard Webhooks are sent too. */
export const standardSignature = v.pipe(
  v.boolean(),
  v.description('Whether the headers of Standard Webhooks are sent beside the native ones.'),
)

/** A field of the settings that holds URLs. */
export const urlField = v.picklist(urlFieldNames)

function urlsOf(subject: string) {
  return v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(maxFieldLength),
      refusing(fieldProblem),
      v.description(`Told of ${subject}. At most 5 URLs with commas between them; empty for none.`),
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
      v.description(`The only ${subject} that are told, with commas between their names; empty for all.`),
    ),
  )
}

const interval = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(1),
  v.maxValue(86_400),
  v.description('Seconds at least between two positions of one driver; 60 at first.'),
)

const businessCopy = v.pipe(
  v.boolean(),
  v.description('Of a customer: whether the business is told too what the webhooks of the customer are told.'),
)

const urlFormats = v.pipe(
  v.array(v.strictObject({ field: urlField, url: oneUrl, format: bodyFormat, standard_signature: standardSignature })),
  v.maxLength(5 * urlFieldNames.length),
  v.description('How each URL is sent to, as a whole list; one that is not named gets the body as it is.'),
)

/** The members of the settings as they are changed: all may be left out, and then stay as they are. */
export function settingEntries(notices: readonly Notice[]) {
  const namesIn = (channel: Notice['channel']) =>
    notices.filter((notice) => notice.channel === channel).map(({ name }) => name)
  return {
    webhook_sign_secret: v.exactOptional(secretOrMask),
    order_create_webhook_url: urlsOf('each local delivery order that is created'),
    order_status_change_webhook_url: urlsOf('each step of the status of an order'),
    tracking_event_webhook_url: urlsOf('each tracking event of a package'),
    order_create_async_postback_url: urlsOf('each batch import that has ended'),
    pod_files_webhook_url: urlsOf('each file of a proof of delivery that is added, replaced or removed'),
    order_deleted_webhook_url: urlsOf('each order that is deleted for good'),
    order_cancel_failed_webhook_url: urlsOf('each attempt to cancel that is refused'),
    route_board_webhook_url: urlsOf('what happens on the route board; of the business alone'),
    device_order_webhook_url: urlsOf('device orders'),
    device_order_events: namesOf('device order events', namesIn('device_order')),
    order_lifecycle_webhook_url: urlsOf('the life cycle of orders, and of drivers going on and off duty'),
    order_lifecycle_events: namesOf('life-cycle events', namesIn('order_lifecycle')),
    driver_location_webhook_url: urlsOf('positions of drivers, which the business alone is told'),
    driver_location_min_interval_sec: v.exactOptional(interval),
    url_formats: v.exactOptional(urlFormats),
    business_copy: v.exactOptional(businessCopy),
  }
}

type SettingsInput = v.InferOutput<v.StrictObjectSchema<ReturnType<typeof settingEntries>, undefined>>

/** What is asked to become otherwise. */
export function changesOf(input: SettingsInput): SettingsChanges {
  const { webhook_sign_secret: secret, device_order_events, order_lifecycle_events } = input
  const { driver_location_min_interval_sec, url_formats, business_copy } = input
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
  }
}

/** The settings as they are answered; sent back as they are, they change nothing. */
export const settingsRecord = v.strictObject({
  webhook_sign_secret: v.exactOptional(v.pipe(v.string(), v.description('Masked; missing before the first.'))),
  ...v.entriesFromList(urlFieldNames, v.string()),
  route_board_webhook_url: v.exactOptional(v.string()),
  device_order_events: v.string(),
  order_lifecycle_events: v.string(),
  driver_location_min_interval_sec: interval,
  url_formats: urlFormats,
  business_copy: v.exactOptional(businessCopy),
})

/** The settings in the form of `settingsRecord`. */
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
  }
}

/** Until when replaced secrets sign, as answers tell it. */
export const replacedEntry = {
  replaced_until: v.pipe(
    v.array(v.string()),
    v.description('Until when each replaced secret signs Standard Webhooks beside the newest; none where none does.'),
  ),
}
