import type { Reducer } from '../../kernel/decider.ts'
import { endpointId, type SigningKey } from '../../kernel/endpoint.ts'
import type { PlainSettings, SettingsEvent, UrlFormat, UrlsByField } from './events.ts'
import { keysAfter } from './keys.ts'
import { businessOwner, customerOwner } from './owners.ts'
import { isTuned, type Tunings, tuningsAfter, tuningsOf } from './tuning.ts'
import { urlFieldNames } from './urls.ts'

/** The settings of a business or a customer, without the secret. */
export interface SettingValues extends PlainSettings {
  readonly urls: UrlsByField
  /** Formats of the URLs that differ from the default, in the order of the URLs. */
  readonly url_formats: readonly UrlFormat[]
  /** E-mail addresses that are notified of endpoints that fail. */
  readonly endpoint_health_emails: readonly string[]
}

/** The webhook settings of a business or a customer. */
export interface Settings {
  /** Missing before the first change. */
  readonly businessId?: number
  readonly customerId?: number
  readonly values: SettingValues
  /** Newest first; empty before the first secret. */
  readonly keys: readonly SigningKey[]
  readonly tunings: Tunings
}

/** The initial settings. */
export const noSettings: Settings = {
  values: {
    urls: {},
    url_formats: [],
    endpoint_health_emails: [],
    device_order_events: [],
    order_lifecycle_events: [],
    driver_location_min_interval_sec: 60,
    business_copy: false,
    disable_failing_after_days: 0,
  },
  keys: [],
  tunings: {},
}

/** The settings after an event. */
export const evolve: Reducer<Settings, SettingsEvent> = (settings, event) => {
  if (isTuned(event)) return { ...settings, tunings: tuningsAfter(event, settings.tunings) }
  if (event.type !== 'WebhookSettingsChanged') return { ...settings, keys: keysAfter(event, settings.keys) }
  const { business_id: businessId, customer_id: customerId, personal, at: _, by: __, ...plain } = event.data
  const values = valuesAfter(settings.values, { ...plain, ...personal })
  const next = { ...settings, businessId, ...(customerId === undefined ? {} : { customerId }), values }
  return { ...next, tunings: tuningsOf(endpointIdsOf(next), settings.tunings) }
}

/** The ids of the endpoints that follow from the settings. */
export function endpointIdsOf({
  businessId = 0,
  customerId,
  values,
}: Omit<Settings, 'keys' | 'tunings'>): readonly string[] {
  const owner = customerId === undefined ? businessOwner(businessId) : customerOwner(customerId)
  return urlFieldNames.flatMap((field) => (values.urls[field] ?? []).map((url) => endpointId(owner, field, url)))
}

/** The values after a change: missing fields keep their values, and formats of removed URLs are dropped. */
export function valuesAfter(values: SettingValues, changes: Partial<SettingValues>): SettingValues {
  const urls = { ...values.urls, ...changes.urls }
  return { ...values, ...changes, urls, url_formats: formatsInUse(changes.url_formats ?? values.url_formats, urls) }
}

/**
 * The formats of existing URLs that differ from the default, in a fixed order so that equal formats give equal lists.
 */
function formatsInUse(formats: readonly UrlFormat[], urls: UrlsByField): readonly UrlFormat[] {
  return urlFieldNames.flatMap((field) =>
    (urls[field] ?? []).flatMap((url) => {
      const found = formats.find((one) => one.field === field && one.url === url)
      return found === undefined || isDefault(found) ? [] : [found]
    }),
  )
}

function isDefault({ format, standard_signature, in_order = false, where }: UrlFormat): boolean {
  return format === 'native' && !standard_signature && !in_order && where === undefined
}

/** Whether any field has a URL. */
export function hasUrls({ urls }: SettingValues): boolean {
  return urlFieldNames.some((field) => (urls[field] ?? []).length > 0)
}
