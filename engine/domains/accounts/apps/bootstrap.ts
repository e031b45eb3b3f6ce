import * as v from 'valibot'
import type { Messenger } from '../../../kernel/messenger.ts'
import { named } from '../../../kernel/named.ts'
import { operation } from '../../../kernel/operation.ts'
import { type AppAtClient, findContext } from './read.ts'
import { codeLength, isRegistrationOpen, resendAfter } from './registration.ts'
import { contextEntries, platform, version } from './schema.ts'
import { versionPolicy } from './version.ts'

const flags = v.record(v.string(), v.boolean())
const words = v.nullable(v.string())

const registration = named(
  'AppRegistration',
  v.strictObject({
    enabled: v.boolean(),
    phone_verification_required: v.boolean(),
    sms_configured: v.boolean(),
    default_phone_region: v.string(),
    requires_approval: v.boolean(),
    code_length: v.number(),
    resend_after: v.pipe(v.number(), v.description('Seconds.')),
  }),
)

const data = named(
  'AppConfiguration',
  v.strictObject({
    app: v.strictObject({ code: v.string(), name: v.string(), type: v.string(), schema_version: v.number() }),
    client: v.strictObject({ code: v.string(), display_name: v.string() }),
    configuration_version: v.number(),
    capabilities: flags,
    authentication: v.objectWithRest(
      { methods: flags, registration },
      v.strictObject({ server_client_id: v.string() }),
    ),
    services: v.strictObject({
      identity: v.strictObject({ source_of_truth: v.string(), shared_with_web: v.boolean() }),
      wallet: v.strictObject({ source_of_truth: v.string(), ledger_mode: v.string() }),
    }),
    settings: v.strictObject({ home: v.strictObject({ quick_actions: v.array(v.string()) }) }),
    version_policy: v.strictObject({
      platform: words,
      minimum_version: words,
      latest_version: words,
      update_required: v.boolean(),
      update_recommended: v.boolean(),
    }),
  }),
)

/** Returns the configuration of an app for a client. */
export const appBootstrap = operation({
  name: 'app_bootstrap',
  summary: 'Configuration of an app for a client: capabilities, sign-in methods, and whether its version is too old.',
  scopes: [],
  risk: 'low',
  tag: 'Platform Apps',
  rest: { method: 'GET', path: '/api/v1/apps/{appCode}/clients/{clientCode}/bootstrap' },
  input: v.strictObject({
    ...contextEntries,
    platform: v.exactOptional(platform),
    app_version: v.exactOptional(version),
  }),
  output: v.strictObject({ result: v.literal(true), data }),
  errors: ['app_context_not_found', 'app_unavailable'],
  handle: async (context, { appCode, clientCode, platform: on, app_version }) => {
    const found = await findContext(context, { appCode, clientCode })
    const { settings, configurationVersion } = found.app
    const { name, type, schema_version } = settings
    return {
      result: true,
      data: {
        app: { code: appCode, name, type, schema_version },
        client: { code: clientCode, display_name: found.client.settings.display_name },
        configuration_version: configurationVersion,
        capabilities: capabilitiesOf(found),
        authentication: authenticationOf(found, context.messenger),
        services: {
          identity: { source_of_truth: 'accounts', shared_with_web: true },
          wallet: { source_of_truth: 'wallets', ledger_mode: 'event_sourced' },
        },
        settings: { home: { quick_actions: found.client.settings.quick_actions } },
        version_policy: versionPolicy(settings.versions, on, app_version),
      },
    }
  },
})

/** The sign-in methods and whether they are enabled: `email`, and each identity provider of the app. */
function methodsOf({ app, client }: AppAtClient): readonly (readonly [string, boolean])[] {
  const names = ['email', ...app.settings.providers.map(({ name }) => name)]
  return names.map((name) => [name, client.settings.methods.includes(name)])
}

function capabilitiesOf(found: AppAtClient) {
  const signIn = methodsOf(found).map(([name, isOn]) => [`sign_in_${name}`, isOn] as const)
  const { app, client } = found
  const own = app.settings.capabilities.map((id) => [id, client.settings.capabilities.includes(id)] as const)
  return Object.fromEntries([...signIn, ...own])
}

function authenticationOf(found: AppAtClient, messenger: Messenger) {
  const { settings } = found.client
  const offered = found.app.settings.providers.filter(({ name }) => settings.methods.includes(name))
  const { requires_approval = false, phone_verification_required = false } = settings.registration ?? {}
  const enabled = isRegistrationOpen(found, messenger)
  return {
    methods: { ...Object.fromEntries(methodsOf(found)), registration: enabled },
    ...Object.fromEntries(offered.map(({ name, audience }) => [name, { server_client_id: audience }])),
    registration: {
      ...{ enabled, phone_verification_required, sms_configured: messenger.sendsSms },
      ...{ default_phone_region: settings.default_phone_region, requires_approval },
      ...{ code_length: codeLength, resend_after: resendAfter },
    },
  }
}
