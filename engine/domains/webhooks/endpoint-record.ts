import * as v from 'valibot'
import { providerName } from '../../kernel/party.ts'
import { maskedSecret } from '../../kernel/signing-secret.ts'
import type { ProviderEndpoint } from './endpoint-decider.ts'
import { deadlinesOf } from './keys.ts'
import { providerChannels } from './owners.ts'
import { bodyFormat, replacedEntry, standardSignature } from './schema.ts'

/** The members of the path that name the endpoint of a provider. */
export const endpointName = {
  channel: v.picklist(providerChannels),
  provider: v.pipe(providerName, v.description('The name of the provider.')),
}

/** Whether what comes from the sandbox is sent. */
export const sandboxEnabled = v.pipe(
  v.boolean(),
  v.description(
    'Whether events of the sandbox are sent: to the sandbox URL where there is one, else to the other, marked.',
  ),
)

/** The endpoint of a provider as it is answered. */
export const endpointRecord = v.strictObject({
  channel: v.string(),
  provider: v.string(),
  url: v.exactOptional(v.string()),
  sandbox_url: v.exactOptional(v.string()),
  sandbox_enabled: sandboxEnabled,
  events: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('The only events that are told; all of the channel where missing.')),
  ),
  format: bodyFormat,
  standard_signature: standardSignature,
  secret: v.exactOptional(v.pipe(v.string(), v.description('Masked.'))),
  ...replacedEntry,
})

/** The endpoint of a provider in the form of `endpointRecord`; `now` in epoch milliseconds. */
export function endpointOf(endpoint: ProviderEndpoint, now: number): v.InferOutput<typeof endpointRecord> {
  const { channel, provider, url, sandboxUrl, isSandboxEnabled, events, format, standard, keys } = endpoint
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
    ...(newest === undefined ? {} : { secret: maskedSecret(newest.secret) }),
    replaced_until: [...deadlinesOf(keys, now)],
  }
}
