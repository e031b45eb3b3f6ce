import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { excerptOf } from '../../kernel/finding.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { text } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import type { OnBehalf } from './decider.ts'
import { runCommand } from './keys.ts'
import { name } from './schema.ts'

const path = '/api/v1/providers/{name}/webhook'

const members = {
  name,
  format: v.pipe(v.string(), v.description('The format that the provider sends: aftership, easypost, 17track.')),
  secret: v.pipe(
    text(500),
    v.minLength(8),
    v.description('What its webhooks are signed with. It is never shown again.'),
  ),
}

const set = named(
  'ProviderWebhook',
  v.strictObject({
    result: v.literal(true),
    name: v.string(),
    format: v.string(),
    address: v.pipe(v.string(), v.description('Where the provider has to send its webhooks.')),
  }),
)

const removed = v.strictObject({ result: v.literal(true), name: v.string() })

type Given = v.InferOutput<v.StrictObjectSchema<typeof members, undefined>>

async function setWebhook(context: Context, { name, format, secret }: Given, onBehalf: OnBehalf = {}) {
  const { formats, dialects = [], baseUrl } = context
  const able = [...formats, ...dialects].filter(({ proofIn }) => proofIn !== undefined).map((one) => one.name)
  if (!able.includes(format))
    throw new EngineError('webhooks_not_proved', { received: excerptOf(format), expected: able.join(', ') })
  const at = isoOf(context.clock())
  await runCommand(context, { type: 'SetWebhook', name, format, at, personal: { secret }, ...onBehalf })
  return { result: true, name, format, address: `${baseUrl}/api/v1/otep/webhooks/${name}` }
}

async function removeWebhook(context: Context, name: string, onBehalf: OnBehalf = {}) {
  await runCommand(context, { type: 'RemoveWebhook', name, at: isoOf(context.clock()), ...onBehalf })
  return { result: true, name }
}

/** Lets a provider send webhooks. */
export const setProviderWebhook = operation({
  name: 'set_provider_webhook',
  summary: 'Take the webhooks of a provider, which it signs with a secret. The secret is sealed and never shown.',
  scopes: ['providers:write'],
  risk: 'medium',
  secret: true,
  input: v.strictObject(members),
  output: set,
  errors: ['provider_not_found', 'webhooks_not_proved'],
  handle: (context, input) => setWebhook(context, input),
})

/** Takes no webhooks of a provider any more. */
export const removeProviderWebhook = operation({
  name: 'remove_provider_webhook',
  summary: 'Take no webhooks of a provider any more. Its key stays valid.',
  scopes: ['providers:write'],
  risk: 'medium',
  input: v.strictObject({ name }),
  output: removed,
  errors: ['provider_not_found'],
  handle: (context, input) => removeWebhook(context, input.name),
})

const byAdmin = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag: 'Business' } as const

const concerned = (_: unknown, { name: provider }: { readonly name: string }) => ({ provider })

/** Lets a provider of the caller's business send webhooks. */
export const setWebhookOfOwnProvider = operation({
  ...byAdmin,
  name: 'set_webhook_of_own_provider',
  summary:
    'Take the webhooks of a provider of the business, as an aggregator of carriers, which it signs with a secret. The secret is sealed and never shown.',
  secret: true,
  rest: { method: 'PUT', path },
  input: v.strictObject(members),
  output: set,
  errors: ['provider_not_found', 'webhooks_not_proved'],
  audited: { event: () => 'webhook_secret_set', concerned },
  handle: (context, input) => setWebhook(context, input, { business: accountOf(context).business.id }),
})

/** Takes no webhooks of a provider of the caller's business any more. */
export const removeWebhookOfOwnProvider = operation({
  ...byAdmin,
  name: 'remove_webhook_of_own_provider',
  summary: 'Take no webhooks of a provider of the business any more. Its key stays valid.',
  rest: { method: 'DELETE', path },
  input: v.strictObject({ name }),
  output: removed,
  errors: ['provider_not_found'],
  audited: { event: () => 'webhook_secret_removed', concerned },
  handle: (context, { name }) => removeWebhook(context, name, { business: accountOf(context).business.id }),
})
