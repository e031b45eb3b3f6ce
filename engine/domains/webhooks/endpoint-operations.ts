import * as v from 'valibot'
import { requireProvider } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { filterProblem, where } from '../../kernel/event-filter.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import { distinct } from '../../kernel/schemas.ts'
import { newSecret } from '../../kernel/signing-secret.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { admins, commandStamp, tag } from './access.ts'
import {
  type EndpointCommand,
  type EndpointState,
  type ProviderEndpoint,
  providerEndpoints,
  type SetEndpoint,
} from './endpoint-decider.ts'
import { endpointModel } from './endpoint-model.ts'
import { endpointName, endpointOf, endpointRecord, sandboxEnabled } from './endpoint-record.ts'
import { loadEndpoint } from './hooks.ts'
import { type ProviderChannel, providerOwner, webhookStream } from './owners.ts'
import { refuse } from './refuse.ts'
import { bodyFormat, ed25519, inOrder, oneUrl, secretOrMask, standardSignature } from './schema.ts'
import { refusalOf } from './settings-operations.ts'

const path = '/api/v1/webhook-endpoints'

/** Identifies an endpoint within the caller's business. */
export interface EndpointName {
  readonly channel: ProviderChannel
  readonly provider: string
}

/** The owner of an endpoint of the caller's business. */
export function ownerOf(context: Context, { channel, provider }: EndpointName): Owner {
  return providerOwner(accountOf(context).business.id, provider, channel)
}

/** An endpoint of the caller's business; refuses with `webhook_endpoint_not_found`. */
export async function namedEndpoint(context: Context, named: EndpointName): Promise<ProviderEndpoint> {
  const endpoint = await loadEndpoint(context.store, ownerOf(context, named))
  if (endpoint === undefined) throw new EngineError('webhook_endpoint_not_found')
  return endpoint
}

/** Runs a command on an endpoint and returns its new state. */
export async function runCommand(context: Context, owner: Owner, command: EndpointCommand): Promise<EndpointState> {
  await execute(context.store, providerEndpoints, webhookStream(owner), command, toNewEvent(context))
  return loadEndpoint(context.store, owner)
}

/** Lists the endpoints of a business for providers. */
export const listWebhookEndpoints = operation({
  name: 'list_webhook_endpoints',
  summary: 'Webhook endpoints of providers for locker deliveries and assignments, in order of their names.',
  scopes: ['webhooks:read'],
  roles: admins.roles,
  risk: 'low',
  tag,
  rest: { method: 'GET', path },
  input: v.strictObject(pageEntries),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, endpoints: v.array(endpointRecord) }),
  errors: [],
  handle: async (context, input) => {
    const { range, paging } = pageOf(input)
    const where = { business_id: accountOf(context).business.id, is_set: 1 }
    const { rows, total } = await context.models.page(endpointModel, { where, ...range })
    const owners = rows.map((row) => ownerOf(context, row as unknown as EndpointName))
    const found = await Promise.all(owners.map((owner) => loadEndpoint(context.store, owner)))
    const endpoints = found.flatMap((one) => (one === undefined ? [] : [endpointOf(context, one)]))
    return { result: true, total, ...paging, endpoints }
  },
})

const endpointEntries = {
  url: v.pipe(oneUrl, v.description('URL that receives the events.')),
  sandbox_url: v.exactOptional(v.pipe(oneUrl, v.description('URL for sandbox events. Default: url.'))),
  sandbox_enabled: v.exactOptional(sandboxEnabled),
  events: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(100))),
      v.minLength(1),
      v.maxLength(50),
      distinct(),
      v.description('The only events of the channel that are sent. Default: all.'),
    ),
  ),
  format: v.exactOptional(bodyFormat),
  standard_signature: v.exactOptional(standardSignature),
  in_order: v.exactOptional(inOrder),
  ed25519: v.exactOptional(ed25519),
  where: v.exactOptional(where),
  secret: v.exactOptional(secretOrMask),
}

type EndpointInput = v.InferOutput<v.StrictObjectSchema<typeof endpointEntries, undefined>>

/** Replaces all settings of a provider's endpoint. */
export function setWebhookEndpoint(eventTypes: readonly WebhookEventType[]): Operation {
  return operation({
    name: 'set_webhook_endpoint',
    summary: "Set a provider's endpoint. Omitted fields are reset; the secret is kept.",
    ...admins,
    risk: 'medium',
    secret: true,
    tag,
    rest: { method: 'PUT', path: `${path}/{channel}/{provider}` },
    input: v.strictObject({ ...endpointName, ...endpointEntries }),
    output: v.strictObject({ result: v.literal(true), endpoint: endpointRecord }),
    errors: [
      ...(['provider_not_found', 'webhook_url_refused', 'webhook_event_unknown'] as const),
      ...(['webhook_secret_missing', 'contention'] as const),
    ],
    handle: async (context, { channel, provider, ...input }) => {
      const named = { channel, provider }
      const { business } = accountOf(context)
      await requireProvider(context, provider, business.id)
      const ofChannel = eventTypes.filter((eventType) => eventType.channel === channel)
      refuse([...unknownEvents(input.events, ofChannel), ...unknownMembers(input.where, ofChannel)])
      const owner = ownerOf(context, named)
      const command = commandOf(context, named, input)
      await refuseBlockedUrls(context, await loadEndpoint(context.store, owner), input)
      const endpoint = await runCommand(context, owner, command)
      if (endpoint === undefined) throw new EngineError('webhook_endpoint_not_found')
      return { result: true, endpoint: endpointOf(context, endpoint) }
    },
  })
}

function unknownEvents(events: readonly string[] = [], eventTypes: readonly WebhookEventType[]): readonly Finding[] {
  const isKnown = (name: string) => eventTypes.some((eventType) => eventType.name === name)
  return events.flatMap((name, index) =>
    isKnown(name) ? [] : [{ path: pathTo('events', index), code: 'webhook_event_unknown' }],
  )
}

function unknownMembers(text: string | undefined, eventTypes: readonly WebhookEventType[]): readonly Finding[] {
  const code = text === undefined ? undefined : filterProblem(text, eventTypes)
  return code === undefined ? [] : [{ path: 'where', code }]
}

function commandOf(context: Context, named: EndpointName, input: EndpointInput): SetEndpoint {
  const { url, sandbox_url, sandbox_enabled = true, events } = input
  const { format = 'native', standard_signature = false, in_order = false, secret, where } = input
  const endpoint = {
    businessId: accountOf(context).business.id,
    ...named,
    url,
    ...(sandbox_url === undefined ? {} : { sandboxUrl: sandbox_url }),
    isSandboxEnabled: sandbox_enabled,
    ...(events === undefined ? {} : { events }),
    format,
    standard: standard_signature,
    isInOrder: in_order,
    ed25519: input.ed25519 === true,
    ...(where === undefined ? {} : { where }),
  }
  const generatedSecret = newSecret(context.credentials.token())
  return {
    type: 'SetEndpoint',
    ...commandStamp(context),
    endpoint,
    ...(secret === undefined ? {} : { secret }),
    generatedSecret,
  }
}

/** Refuses new URLs that are forbidden targets, each at its member. */
async function refuseBlockedUrls(context: Context, before: EndpointState, { url, sandbox_url }: EndpointInput) {
  const added = [
    ...(url === before?.url ? [] : [['url', url] as const]),
    ...(sandbox_url === undefined || sandbox_url === before?.sandboxUrl ? [] : [['sandbox_url', sandbox_url] as const]),
  ]
  const found = await Promise.all(added.map(async ([path, to]) => ({ path, finding: await refusalOf(context, to) })))
  refuse(found.flatMap(({ path, finding }) => (finding === undefined ? [] : [{ ...finding, path }])))
}

/** Deletes a provider's endpoint and its secrets. */
export const deleteWebhookEndpoint = operation({
  name: 'delete_webhook_endpoint',
  summary: "Delete a provider's endpoint. Waiting deliveries are skipped.",
  ...admins,
  risk: 'medium',
  tag,
  rest: { method: 'DELETE', path: `${path}/{channel}/{provider}` },
  input: v.strictObject(endpointName),
  output: v.strictObject({ result: v.literal(true), channel: v.string(), provider: v.string() }),
  errors: ['webhook_endpoint_not_found', 'contention'],
  handle: async (context, named) => {
    await runCommand(context, ownerOf(context, named), { type: 'RemoveEndpoint', ...commandStamp(context) })
    return { result: true, ...named }
  },
})
