import * as v from 'valibot'
import type { UrlField } from '../../kernel/channel.ts'
import type { Context } from '../../kernel/context.ts'
import { isQueue } from '../../kernel/endpoint.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { named } from '../../kernel/named.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { newSecret } from '../../kernel/signing-secret.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import {
  commandStamp,
  type Level,
  levelAnswerEntry,
  levelEntry,
  levelIds,
  levelOf,
  readers,
  tag,
  writers,
} from './access.ts'
import type { UrlsByField } from './events.ts'
import { loadSettings } from './hooks.ts'
import { deadlinesOf, publicKeysOf } from './keys.ts'
import { webhookStream } from './owners.ts'
import { refuse } from './refuse.ts'
import {
  changesOf,
  filterFindings,
  publicKeysEntry,
  replacedEntry,
  settingEntries,
  settingsOf,
  settingsRecord,
} from './schema.ts'
import { type ChangeSettings, webhookSettings } from './settings-decider.ts'
import { urlFieldNames } from './urls.ts'

const settingsAnswer = named(
  'WebhookSettingsAnswer',
  v.strictObject({
    result: v.literal(true),
    ...levelAnswerEntry,
    settings: settingsRecord,
    ...replacedEntry,
    ...publicKeysEntry,
  }),
)

/** Returns the webhook settings. */
export const getWebhookSettings = operation({
  name: 'get_webhook_settings',
  summary: 'Webhook settings of the business or of one of its customers. The secret is masked.',
  ...readers,
  risk: 'low',
  tag,
  rest: { method: 'GET', path: '/api/v1/webhook-settings' },
  ids: levelIds,
  input: v.strictObject(levelEntry),
  output: settingsAnswer,
  errors: ['customer_not_found'],
  handle: async (context, { customer_id }) => answerOf(context, await levelOf(context, customer_id)),
})

/** Changes the webhook settings. */
export function updateWebhookSettings(eventTypes: readonly WebhookEventType[]): Operation {
  return operation({
    name: 'update_webhook_settings',
    summary: 'Change webhook settings; omitted fields keep their values. The first URL creates a signing secret.',
    ...writers,
    risk: 'medium',
    secret: true,
    tag,
    rest: { method: 'PUT', path: '/api/v1/webhook-settings', bodyLimit: 256 * 1024 },
    graphql: { kind: 'mutation', name: 'webhookSettingsUpdate' },
    ids: levelIds,
    input: v.strictObject({ ...levelEntry, ...settingEntries(eventTypes) }),
    output: settingsAnswer,
    errors: [
      ...(['customer_not_found', 'webhook_url_refused', 'webhook_url_unknown', 'webhook_secret_missing'] as const),
      ...(['webhook_business_only', 'webhook_customer_only', 'webhook_mail_unavailable'] as const),
      ...(['not_unique', 'contention'] as const),
    ],
    handle: async (context, { customer_id, ...input }) => {
      refuse([...filterFindings(input, eventTypes), ...mailFindings(context, input)])
      const level = await levelOf(context, customer_id)
      const command = commandOf(context, level, changesOf(input))
      await refuseBlockedUrls(context, level, command)
      await execute(context.store, webhookSettings, webhookStream(level.owner), command, toNewEvent(context))
      return answerOf(context, level)
    },
  })
}

/** Addresses are refused where nothing would be sent to them. */
function mailFindings(
  { webhooks }: Context,
  { endpoint_health_emails = [] }: { readonly endpoint_health_emails?: readonly string[] },
): readonly Finding[] {
  if (webhooks.sendsMail || endpoint_health_emails.length === 0) return []
  return [{ path: 'endpoint_health_emails', code: 'webhook_mail_unavailable' }]
}

function commandOf(context: Context, level: Level, changes: ChangeSettings['changes']): ChangeSettings {
  const { businessId: business_id, customerId } = level
  const owner = { business_id, ...(customerId === undefined ? {} : { customer_id: customerId }) }
  const generatedSecret = newSecret(context.credentials.token())
  return { type: 'ChangeSettings', ...commandStamp(context), ...owner, changes, generatedSecret }
}

/** Refuses invalid settings first, and then new URLs that are forbidden targets, each at its field. */
async function refuseBlockedUrls(context: Context, { owner }: Level, command: ChangeSettings): Promise<void> {
  const before = await loadSettings(context.store, owner)
  webhookSettings.decide(command, before)
  const added = addedUrls(before.values.urls, command.changes.urls ?? {}).filter(([, url]) => !isQueue(url))
  const urls = [...new Set(added.map(([, url]) => url))]
  const found = new Map(await Promise.all(urls.map(async (url) => [url, await refusalOf(context, url)] as const)))
  refuse(
    added.flatMap(([path, url]) => {
      const finding = found.get(url)
      return finding === undefined ? [] : [{ ...finding, path }]
    }),
  )
}

function addedUrls(before: UrlsByField, next: UrlsByField): readonly (readonly [UrlField, string])[] {
  return urlFieldNames.flatMap((field) =>
    (next[field] ?? []).filter((url) => before[field]?.includes(url) !== true).map((url) => [field, url] as const),
  )
}

/** Why a URL is a forbidden target; undefined if it is allowed. */
export async function refusalOf({ webhooks }: Context, url: string): Promise<Omit<Finding, 'path'> | undefined> {
  try {
    await webhooks.checkUrl(url)
    return undefined
  } catch (error) {
    if (isEngineError(error, 'webhook_url_refused')) return { code: error.code, params: error.params }
    throw error
  }
}

async function answerOf(context: Context, { owner, customerId }: Level) {
  const settings = await loadSettings(context.store, owner)
  return {
    result: true,
    customer_id: customerId ?? null,
    settings: settingsOf(settings, customerId),
    replaced_until: deadlinesOf(settings.keys, context.clock()),
    public_keys: publicKeysOf(context, settings.keys),
  }
}
