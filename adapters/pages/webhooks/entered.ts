import type { InferOutput } from 'valibot'
import {
  type Finding,
  type getWebhookSettings,
  maxUrls,
  splitUrls,
  type UrlField,
  urlFields,
} from '../../../engine/index.ts'
import { memberOf, membersOf } from '../signed-in/schema.ts'
import { isOwnManner, type Manner, mannerIn, mannerInput, mannerOf } from './manner.ts'
import type { WebhookTexts } from './texts/index.ts'

/** What can be set. */
export const settingMembers = membersOf('update_webhook_settings')

/** What can be set for one URL. */
export const formatMembers = memberOf(settingMembers, 'url_formats').items?.members ?? {}

/** The fields that hold URLs, in order. */
const fieldNames = Object.keys(urlFields) as readonly UrlField[]

/** The fields that limit which events a URL field receives, by URL field. */
export const narrowings = {
  device_order_webhook_url: 'device_order_events',
  order_lifecycle_webhook_url: 'order_lifecycle_events',
} as const satisfies Partial<Record<UrlField, string>>

type Narrowing = (typeof narrowings)[keyof typeof narrowings]

/** The numbers that are set beside the URLs of a field, by URL field. */
export const numbersBeside = {
  driver_location_webhook_url: 'driver_location_min_interval_sec',
  endpoint_health_webhook_url: 'disable_failing_after_days',
} as const satisfies Partial<Record<UrlField, keyof Settings>>

/** A setting that is a number. */
export type NumberName = (typeof numbersBeside)[keyof typeof numbersBeside]

const numberNames: readonly NumberName[] = Object.values(numbersBeside)

/** The setting beside the URLs of `endpoint_health_webhook_url`: e-mail addresses, in the form separated by commas. */
export const emailsName = 'endpoint_health_emails'

const narrowingNames: readonly Narrowing[] = Object.values(narrowings)

/** One URL in the form. */
export interface Row {
  readonly url: string
  readonly manner: Manner
}

/** The settings as entered, valid or not; fields that the level does not have are missing. */
export interface Entered {
  readonly rows: ReadonlyMap<UrlField, readonly Row[]>
  readonly events: Readonly<Record<Narrowing, readonly string[]>>
  readonly numbers: Readonly<Record<NumberName, string>>
  readonly emails: string
  /** Only for a customer. */
  readonly copy?: boolean
}

/** The settings in the response. */
type Settings = InferOutput<typeof getWebhookSettings.output>['settings']

/** The initial values of the form. */
export function enteredOf(settings: Settings, texts: WebhookTexts): Entered {
  const rows = fieldNames.flatMap((field) => {
    const text = settings[field]
    return text === undefined ? [] : [[field, rowsOf(field, text, settings, texts)] as const]
  })
  const { device_order_events, order_lifecycle_events, business_copy } = settings
  return {
    rows: new Map(rows),
    events: {
      device_order_events: namesIn(device_order_events),
      order_lifecycle_events: namesIn(order_lifecycle_events),
    },
    numbers: numbersOf((name) => String(settings[name])),
    emails: settings.endpoint_health_emails.join(', '),
    ...(business_copy === undefined ? {} : { copy: business_copy }),
  }
}

function numbersOf(textOf: (name: NumberName) => string): Entered['numbers'] {
  return Object.fromEntries(numberNames.map((name) => [name, textOf(name)])) as Record<NumberName, string>
}

function rowsOf(field: UrlField, text: string, { url_formats }: Settings, texts: WebhookTexts): readonly Row[] {
  return splitUrls(text).map((url) => {
    const format = url_formats.find((one) => one.field === field && one.url === url) ?? {}
    return { url, manner: mannerOf({ ...format }, formatMembers, texts) }
  })
}

function namesIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(',')
}

/** The submitted form, limited to the fields that the level has. */
export function enteredIn(form: URLSearchParams, settings: Settings, texts: WebhookTexts): Entered {
  const rows = fieldNames
    .filter((field) => settings[field] !== undefined)
    .map((field) => {
      const all = Array.from({ length: maxUrls }, (_, index) => rowIn(form, nameOf(field, index), texts))
      return [field, all] as const
    })
  const events = {
    device_order_events: form.getAll('device_order_events'),
    order_lifecycle_events: form.getAll('order_lifecycle_events'),
  }
  return {
    rows: new Map(rows.map(([field, all]) => [field, all.filter(({ url }) => url !== '')])),
    events,
    numbers: numbersOf((name) => (form.get(name) ?? String(settings[name])).trim()),
    emails: (form.get(emailsName) ?? settings.endpoint_health_emails.join(', ')).trim(),
    ...(settings.business_copy === undefined ? {} : { copy: form.has('business_copy') }),
  }
}

/** The prefix of the names of a row's form fields. */
export function nameOf(field: UrlField, index: number): string {
  return `${field}.${index}`
}

function rowIn(form: URLSearchParams, name: string, texts: WebhookTexts): Row {
  const manner = mannerIn(form, formatMembers, texts, `${name}.`)
  return { url: (form.get(`${name}.url`) ?? '').trim(), manner }
}

/** The input of the operation, which sets all settings. */
export function inputOf(
  { rows, events, numbers, emails, copy }: Entered,
  texts: WebhookTexts,
): Readonly<Record<string, unknown>> {
  const urls = [...rows].map(([field, own]) => [field, joined(own)])
  return {
    ...Object.fromEntries(urls),
    ...Object.fromEntries(narrowingNames.map((name) => [name, events[name].join(',')])),
    ...Object.fromEntries(
      Object.entries(numbers).map(([name, text]) => [name, /^\d{1,9}$/.test(text) ? Number(text) : text]),
    ),
    [emailsName]: emails.split(/[\s,;]+/).filter((email) => email !== ''),
    url_formats: formatted({ rows }, texts).map(([field, { url, manner }]) => {
      return { field, url, ...mannerInput(manner, formatMembers) }
    }),
    ...(copy === undefined ? {} : { business_copy: copy }),
  }
}

/** The text of a field. Entries that are not URLs come first: after a URL they would be read as a part of it. */
function joined(rows: readonly Row[]): string {
  const isOne = ({ url }: Row) => /^https?:\/\//i.test(url)
  const inOrder = [...rows.filter((row) => !isOne(row)), ...rows.filter(isOne)]
  return inOrder.map(({ url }) => url).join(',')
}

/** The URLs that differ from the default. */
function formatted({ rows }: Pick<Entered, 'rows'>, texts: WebhookTexts): readonly (readonly [UrlField, Row])[] {
  const differs = ({ manner }: Row) => isOwnManner(manner, formatMembers, texts)
  return [...rows].flatMap(([field, own]) => own.filter(differs).map((row) => [field, row] as const))
}

/** The form field that a finding is about. */
export function placeOf({ path }: Finding, entered: Entered, texts: WebhookTexts): string {
  const [name = '', index] = path.split(/[[\].]/)
  const found = name === 'url_formats' ? formatted(entered, texts)[Number(index)] : undefined
  return found?.[0] ?? name
}

/** The form fields that belong to a settings field. */
export function besides(field: UrlField): readonly string[] {
  const beside = Object.entries({ ...narrowings, ...numbersBeside }).filter(([name]) => name === field)
  const emails = field === 'endpoint_health_webhook_url' ? [emailsName] : []
  return [field, ...beside.map(([, name]) => name), ...emails]
}

/** The form fields that show their own errors. */
export function placesOf({ rows }: Entered): ReadonlySet<string> {
  return new Set([...rows.keys(), ...narrowingNames, ...numberNames, emailsName])
}
