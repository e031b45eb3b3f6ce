import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { where } from '../../kernel/event-filter.ts'
import { named } from '../../kernel/named.ts'
import { providerName } from '../../kernel/schemas.ts'
import { maskedSecret } from '../../kernel/signing-secret.ts'
import type { ProviderEndpoint } from './endpoint-decider.ts'
import { deadlinesOf, publicKeysOf } from './keys.ts'
import { providerChannels } from './owners.ts'
import { bodyFormat, ed25519, inOrder, publicKeysEntry, replacedEntry, standardSignature } from './schema.ts'

/** The path members that identify a provider's endpoint. */
export const endpointName = {
  channel: v.picklist(providerChannels),
  provider: v.pipe(providerName, v.description('Name of the provider.')),
}

/** Whether sandbox events are sent. */
export const sandboxEnabled = v.pipe(
  v.boolean(),
  v.description(
    'Whether sandbox events are sent: to the sandbox URL if there is one, otherwise to the other URL, marked as sandbox.',
  ),
)

/** A provider's endpoint in answers. */
export const endpointRecord = named(
  'WebhookEndpoint',
  v.strictObject({
    channel: v.string(),
    provider: v.string(),
    url: v.exactOptional(v.string()),
    sandbox_url: v.exactOptional(v.string()),
    sandbox_enabled: sandboxEnabled,
    events: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description('The only events that are sent; all events of the channel if missing.'),
      ),
    ),
    format: bodyFormat,
    standard_signature: standardSignature,
    in_order: inOrder,
    ed25519,
    where: v.exactOptional(where),
    secret: v.exactOptional(v.pipe(v.string(), v.description('Masked secret.'))),
    ...replacedEntry,
    ...publicKeysEntry,
  }),
)

/** Converts an endpoint to `endpointRecord`. */
export function endpointOf(context: Context, endpoint: ProviderEndpoint): v.InferOutput<typeof endpointRecord> {
  const { channel, provider, url, sandboxUrl, isSandboxEnabled, events, format, standard, isInOrder, keys } = endpoint
  const [newest] = keys
  return {
    channel,
    provider,
    ...(url === undefined ? {} : { url }),
    ...(sandboxUrl === undefined ? {} : { sandbox_url: sandboxUrl }),
    sandbox_enabled: isSandboxEnabled,
    ...(events === undefined ? {} : { events: [...events] }),
    format,
    standard_signature: standard,
    in_order: isInOrder,
    ed25519: endpoint.ed25519,
    ...(endpoint.where === undefined ? {} : { where: endpoint.where }),
    ...(newest === undefined ? {} : { secret: maskedSecret(newest.secret) }),
    replaced_until: [...deadlinesOf(keys, context.clock())],
    public_keys: publicKeysOf(context, keys),
  }
}
