import type { Decider } from '../../kernel/decider.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { isMasked } from '../../kernel/signing-secret.ts'
import type { SettingsEvent, UrlsByField, WebhookEventBase } from './events.ts'
import { decideOnKeys, type KeyCommand, replacement } from './keys.ts'
import { refuse } from './refuse.ts'
import {
  endpointIdsOf,
  evolve,
  hasUrls,
  noSettings,
  type Settings,
  type SettingValues,
  valuesAfter,
} from './settings.ts'
import { decideOnTuning, isTuning, type TuningCommand } from './tuning.ts'
import { urlFieldNames } from './urls.ts'

/** The requested changes; missing members keep their values. */
export type SettingsChanges = Partial<SettingValues> & {
  /** A new secret, or the mask of the current one, which keeps it. */
  readonly secret?: string
}

/** Changes the settings of a business, or of a customer if one is named. */
export interface ChangeSettings extends WebhookEventBase {
  readonly type: 'ChangeSettings'
  readonly business_id: number
  readonly customer_id?: number
  readonly changes: SettingsChanges
  /** A generated secret, used for the first URL if there is no secret yet. */
  readonly generatedSecret: string
}

/**
 * The commands of a business's or customer's webhooks. A change is refused with `invalid_input` and findings:
 * `webhook_business_only`, `webhook_customer_only`, `webhook_url_unknown`, `webhook_secret_missing`.
 */
export type SettingsCommand = ChangeSettings | KeyCommand | TuningCommand

function decide(command: SettingsCommand, settings: Settings): readonly SettingsEvent[] {
  if (isTuning(command)) return decideOnTuning(command, settings.tunings, endpointIdsOf(settings))
  if (command.type !== 'ChangeSettings') return decideOnKeys(command, settings.keys)
  refuseInvalidChanges(command, settings)
  const { secret, ...changes } = command.changes
  const next = valuesAfter(settings.values, changes)
  const isFirst = settings.keys.length === 0 && hasUrls(next) && secret === undefined
  const nextSecret = isFirst ? command.generatedSecret : secret
  const keepsSecret = nextSecret === undefined || isMasked(nextSecret)
  return [
    ...settingsChanged(command, settings.values, next),
    ...(keepsSecret ? [] : replacement(command, nextSecret, settings.keys)),
  ]
}

/** The event with the changed members; none if nothing changed. */
function settingsChanged(
  { at, by, business_id, customer_id }: ChangeSettings,
  before: SettingValues,
  next: SettingValues,
): readonly SettingsEvent[] {
  const { urls: _, url_formats, endpoint_health_emails, ...plain } = next
  const urls = differingUrls(before.urls, next.urls)
  const isReformatted = !isSame(url_formats, valuesAfter(before, { urls }).url_formats)
  const changedValues = Object.entries(plain).filter(
    ([name, value]) => !isSame(value, before[name as keyof typeof plain]),
  )
  const personal = {
    ...(Object.keys(urls).length === 0 ? {} : { urls }),
    ...(isReformatted ? { url_formats } : {}),
    ...(isSame(endpoint_health_emails, before.endpoint_health_emails) ? {} : { endpoint_health_emails }),
  }
  const isPersonal = Object.keys(personal).length > 0
  if (changedValues.length === 0 && !isPersonal) return []
  const owner = { business_id, ...(customer_id === undefined ? {} : { customer_id }) }
  const data = { at, by, ...owner, ...Object.fromEntries(changedValues), ...(isPersonal ? { personal } : {}) }
  return [{ type: 'WebhookSettingsChanged', data }]
}

function differingUrls(before: UrlsByField, next: UrlsByField): UrlsByField {
  const fields = urlFieldNames.filter((field) => !isSame(next[field] ?? [], before[field] ?? []))
  return Object.fromEntries(fields.map((field) => [field, next[field] ?? []]))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function refuseInvalidChanges({ customer_id, changes }: ChangeSettings, { values, keys }: Settings): void {
  const { urls, business_copy, secret, url_formats = [] } = changes
  const next = valuesAfter(values, changes)
  const isMissing = secret !== undefined && isMasked(secret) && keys.length === 0
  refuse([
    ...(customer_id !== undefined && urls?.route_board_webhook_url !== undefined
      ? [{ path: 'route_board_webhook_url', code: 'webhook_business_only' } as const]
      : []),
    ...(customer_id === undefined && business_copy !== undefined
      ? [{ path: 'business_copy', code: 'webhook_customer_only' } as const]
      : []),
    ...(isMissing ? [{ path: 'webhook_sign_secret', code: 'webhook_secret_missing' } as const] : []),
    ...url_formats.flatMap(({ field, url }, index): readonly Finding[] => {
      const path = pathTo(pathTo('url_formats', index), 'url')
      if (next.urls[field]?.includes(url) !== true) return [{ path, code: 'webhook_url_unknown' }]
      const isFirst = url_formats.findIndex((one) => one.field === field && one.url === url) === index
      return isFirst ? [] : [{ path, code: 'not_unique' }]
    }),
  ])
}

/** The decider of a business's or customer's webhooks, with one stream each. */
export const webhookSettings: Decider<Settings, SettingsCommand, SettingsEvent> = {
  initial: () => noSettings,
  evolve,
  decide,
}
