import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { SigningKey } from '../../kernel/endpoint.ts'
import { operation } from '../../kernel/operation.ts'
import { newSecret, shownSecret } from '../../kernel/signing-secret.ts'
import { admins, commandStamp, tag } from './access.ts'
import { type EndpointName, ownerOf, runCommand } from './endpoint-operations.ts'
import { endpointName } from './endpoint-record.ts'
import { deadlinesOf, type KeyCommand } from './keys.ts'
import { replacedEntry } from './schema.ts'
import { newestOf, rotationEntry, standardSecret } from './secret-operations.ts'

const path = '/api/v1/webhook-endpoints/{channel}/{provider}/secret'
const named = { channel: v.string(), provider: v.string() }

async function keysAfter(context: Context, name: EndpointName, command: KeyCommand): Promise<readonly SigningKey[]> {
  return (await runCommand(context, ownerOf(context, name), command))?.keys ?? []
}

/** Shows the secret of a provider's endpoint, and records who has seen it. */
export const revealEndpointSecret = operation({
  name: 'reveal_webhook_endpoint_secret',
  summary: "Show the signing secret of a provider's endpoint. Who has seen it is recorded.",
  ...admins,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/reveal` },
  input: v.strictObject(endpointName),
  output: v.strictObject({
    result: v.literal(true),
    ...named,
    secret: v.string(),
    standard_webhooks_secret: standardSecret,
  }),
  errors: ['webhook_endpoint_not_found', 'webhook_secret_missing', 'contention'],
  handle: async (context, name) => {
    const { secret } = newestOf(await keysAfter(context, name, { type: 'RevealSecret', ...commandStamp(context) }))
    return { result: true, ...name, secret, standard_webhooks_secret: shownSecret(secret) }
  },
})

/** Replaces the secret of a provider's endpoint. */
export const rotateEndpointSecret = operation({
  name: 'rotate_webhook_endpoint_secret',
  summary: "Replace the signing secret of a provider's endpoint. The previous one also signs for another 24 hours.",
  ...admins,
  risk: 'medium',
  secret: true,
  tag,
  rest: { method: 'POST', path: `${path}/rotate` },
  input: v.strictObject({ ...endpointName, ...rotationEntry }),
  output: v.strictObject({
    result: v.literal(true),
    ...named,
    standard_webhooks_secret: standardSecret,
    ...replacedEntry,
  }),
  errors: ['webhook_endpoint_not_found', 'contention'],
  handle: async (context, { secret = newSecret(context.credentials.token()), ...name }) => {
    const keys = await keysAfter(context, name, { type: 'RotateSecret', ...commandStamp(context), secret })
    const replaced_until = deadlinesOf(keys, context.clock())
    return { result: true, ...name, standard_webhooks_secret: shownSecret(secret), replaced_until }
  },
})

/** Expires the replaced secrets of a provider's endpoint at once. */
export const expireEndpointSecrets = operation({
  name: 'expire_webhook_endpoint_secrets',
  summary: "Expire all replaced signing secrets of a provider's endpoint at once.",
  ...admins,
  risk: 'medium',
  tag,
  rest: { method: 'POST', path: `${path}/expire` },
  input: v.strictObject(endpointName),
  output: v.strictObject({ result: v.literal(true), ...named, ...replacedEntry }),
  errors: ['webhook_endpoint_not_found', 'contention'],
  handle: async (context, name) => {
    await keysAfter(context, name, { type: 'ExpireReplacedKeys', ...commandStamp(context) })
    return { result: true, ...name, replaced_until: [] }
  },
})
