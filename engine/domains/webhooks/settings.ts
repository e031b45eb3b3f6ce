import type { Reducer } from '../../kernel/decider.ts'
import type { SigningKey } from '../../kernel/endpoint.ts'
import type { PlainSettings, SettingsEvent, UrlFormat, UrlsByField } from './events.ts'
import { keysAfter } from './keys.ts'
import { urlFieldNames } from './urls.ts'

/** What can be set at the level of a business or a customer, beside the secret. */
export interface SettingValues extends PlainSettings {
  readonly urls: UrlsByField
  /** Those of URLs that stand in their field and are sent otherwise than as they are, in the order of the URLs. */
  readonly url_formats: readonly UrlFormat[]
}

/** The webhooks of a business or a customer as their facts have them. */
export interface Settings {
  /** Missing before the first change. */
  readonly businessId?: number
  readonly customerId?: number
  readonly values: SettingValues
  /** Newest first; none before the first. */
  readonly keys: readonly SigningKey[]
}

/** Before anything was set. */
export const noSettings: Settings = {
  values: {
    urls: {},
    url_formats: [],
    device_order_events: [],
    order_lifecycle_events: [],
    driver_location_min_interval_sec: 60,
    business_copy: false,
  },
  keys: [],
}

/** What follows from a fact about the webhooks of a business or a customer. */
export const evolve: Reducer<Settings, SettingsEvent> = (settings, event) => {
  if (event.type !== 'WebhookSettingsChanged') return { ...settings, keys: keysAfter(event, settings.keys) }
  const { business_id: businessId, customer_id: customerId, personal, at: _, by: __, ...plain } = event.data
  const values = valuesAfter(settings.values, { ...plain, ...personal })
  return { ...settings, businessId, ...(customerId === undefined ? {} : { customerId }), values }
}

/** The values after a change: fields that are not named stay, and formats end with their URLs. */
export function valuesAfter(values: SettingValues, changes: Partial<SettingValues>): SettingValues {
  const urls = { ...values.urls, ...changes.urls }
  return { ...values, ...changes, urls, url_formats: formatsInUse(changes.url_formats ?? values.url_formats, urls) }
}

/** The formats that say something of URLs that are there, in one order, so that the same formats are the same list. */
function formatsInUse(formats: readonly UrlFormat[], urls: UrlsByField): readonly UrlFormat[] {
  return urlFieldNames.flatMap((field) =>
    (urls[field] ?? []).flatMap((url) => {
      const found = formats.find((one) => one.field === field && one.url === url)
      return found === undefined || (found.format === 'native' && !found.standard_signature) ? [] : [found]
    }),
  )
}

/** Whether there is any URL. */
export function hasUrls({ urls }: SettingValues): boolean {
  return urlFieldNames.some((field) => (urls[field] ?? []).length > 0)
}
