import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { SigningKey } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { newSecret, shownSecret } from '../../kernel/signing-secret.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { commandStamp, type Level, levelAnswerEntry, levelEntry, levelIds, levelOf, tag, writers } from './access.ts'
import { loadSettings } from './hooks.ts'
import { deadlinesOf, type KeyCommand } from './keys.ts'
import { webhookStream } from './owners.ts'
import { ownSecret, replacedEntry } from './schema.ts'
import { webhookSettings } from './settings-decider.ts'

const path = '/api/v1/webhook-settings/secret'

/** A secret in the form that Standard Webhooks libraries accept. */
export const standardSecret = v.pipe(
  v.string(),
  v.description('The secret in the form that Standard Webhooks receivers accept: whsec_ and base64.'),
)

/** The input member for a chosen secret. */
export const rotationEntry = {
  secret: v.exactOptional(v.pipe(ownSecret, v.description('The new secret. Default: a random one.'))),
}

/** The newest key; refuses with `webhook_secret_missing` if there is none. */
export function newestOf([newest]: readonly SigningKey[]): SigningKey {
  if (newest === undefined) throw new EngineError('webhook_secret_missing')
  return newest
}

/** Runs a command on the keys of a level and returns the new keys. */
async function runCommand(context: Context, { owner }: Level, command: KeyCommand): Promise<readonly SigningKey[]> {
  await execute(context.store, webhookSettings, webhookStream(owner), command, toNewEvent(context))
  return (await loadSettings(context.store, owner)).keys
}

/** Shows the secret, and records who has seen it. */
export const revealWebhookSecret = operation({
  name: 'reveal_webhook_secret',
  summary: 'Show the signing secret of the business or of a customer. Who has seen it is recorded.',
  ...writers,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/reveal` },
  ids: levelIds,
  input: v.strictObject(levelEntry),
  output: v.strictObject({
    result: v.literal(true),
    ...levelAnswerEntry,
    webhook_sign_secret: v.string(),
    standard_webhooks_secret: standardSecret,
  }),
  errors: ['customer_not_found', 'webhook_secret_missing', 'contention'],
  handle: async (context, { customer_id }) => {
    const level = await levelOf(context, customer_id)
    const { secret } = newestOf(await runCommand(context, level, { type: 'RevealSecret', ...commandStamp(context) }))
    return {
      result: true,
      customer_id: level.customerId ?? null,
      webhook_sign_secret: secret,
      standard_webhooks_secret: shownSecret(secret),
    }
  },
})

/** Replaces the secret. */
export const rotateWebhookSecret = operation({
  name: 'rotate_webhook_secret',
  summary: 'Replace the signing secret. The previous one also signs Standard Webhooks for another 24 hours.',
  ...writers,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/rotate` },
  ids: levelIds,
  input: v.strictObject({ ...levelEntry, ...rotationEntry }),
  output: v.strictObject({
    result: v.literal(true),
    ...levelAnswerEntry,
    standard_webhooks_secret: standardSecret,
    ...replacedEntry,
  }),
  errors: ['customer_not_found', 'contention'],
  handle: async (context, { customer_id, secret = newSecret(context.credentials.token()) }) => {
    const level = await levelOf(context, customer_id)
    const keys = await runCommand(context, level, { type: 'RotateSecret', ...commandStamp(context), secret })
    return {
      result: true,
      customer_id: level.customerId ?? null,
      standard_webhooks_secret: shownSecret(secret),
      replaced_until: deadlinesOf(keys, context.clock()),
    }
  },
})

/** Expires replaced secrets at once. */
export const expireWebhookSecrets = operation({
  name: 'expire_webhook_secrets',
  summary: 'Expire all replaced signing secrets at once, for example when one has leaked.',
  ...writers,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/expire` },
  ids: levelIds,
  input: v.strictObject(levelEntry),
  output: v.strictObject({ result: v.literal(true), ...levelAnswerEntry, ...replacedEntry }),
  errors: ['customer_not_found', 'contention'],
  handle: async (context, { customer_id }) => {
    const level = await levelOf(context, customer_id)
    await runCommand(context, level, { type: 'ExpireReplacedKeys', ...commandStamp(context) })
    return { result: true, customer_id: level.customerId ?? null, replaced_until: [] }
  },
})
