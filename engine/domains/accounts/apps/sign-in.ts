import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError, isEngineError } from '../../../kernel/errors.ts'
import type { Append } from '../../../kernel/event-store.ts'
import { named } from '../../../kernel/named.ts'
import { type Answer, operation } from '../../../kernel/operation.ts'
import { email } from '../../../kernel/schemas.ts'
import { retryOnConflict } from '../../../store/execute.ts'
import type { AccountState } from '../account.ts'
import { accountBoundTo } from '../bound.ts'
import { requireOtherWays } from '../other-ways.ts'
import { appUser, passwordInput, signedInApp } from '../schema.ts'
import { requireSecondStep, secondStepRefusals } from '../second-step.ts'
import { accountBy, newSession, ownerOf, tokenEntries } from '../sign-in.ts'
import { type AppAtClient, findContext } from './read.ts'
import { contextEntries, platform, version } from './schema.ts'

/** The members of an input for the device that signs in. */
export const deviceEntries = {
  device_id: v.pipe(v.string(), v.minLength(1), v.maxLength(191), v.description('Only stored blinded.')),
  device_platform: platform,
  app_version: v.exactOptional(v.nullable(version)),
}

/** What an app gets when somebody has signed in. */
export const signInAnswer = named(
  'AppSignInAnswer',
  v.strictObject({ ...tokenEntries, user: appUser, app_context: signedInApp }),
)

const refusals = ['app_unavailable', 'sign_in_method_not_allowed', 'app_role_not_allowed'] as const

/** Which app at which client, and the device. */
interface AppSignInInput {
  readonly appCode: string
  readonly clientCode: string
  readonly device_id: string
  readonly device_platform: 'ios' | 'android'
  readonly app_version?: string | null
}

/** Signs in to an app with an email and a password. */
export const appEmailSignIn = operation({
  name: 'app_email_sign_in',
  summary: 'Sign in to an app with the email address and password of an account. The token is valid for 30 days.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag: 'Platform Apps',
  rest: { method: 'POST', path: '/api/v1/apps/{appCode}/clients/{clientCode}/auth/email' },
  ids: { device_id: 'external' },
  input: v.strictObject({ ...contextEntries, email, password: passwordInput, ...deviceEntries }),
  output: signInAnswer,
  errors: [
    ...refusals,
    'client_access_not_allowed',
    'invalid_credentials',
    'sign_on_required',
    ...secondStepRefusals,
    'too_many_attempts',
    'too_busy',
  ],
  audited: { event: () => 'sign_in', concerned: (context, { email: address }) => ownerOf(context, address) },
  handle: async (context, { email: address, password, ...device }) => {
    const found = await contextFor(context, device, 'email')
    const account = await accountBy(context, address, password)
    requireAdmitted(found, account)
    await requireOtherWays(context, account)
    await requireSecondStep(context, account, { app: { ...device, method: 'email' } })
    return startSession(context, found, device, account)
  },
})

/** Signs in to an app with an ID token. */
export const appIdentitySignIn = operation({
  name: 'app_identity_sign_in',
  summary:
    'Sign in to an app with an ID token of an identity provider. The first time, the identity is bound to the account ' +
    'with the same verified email address, for all apps.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag: 'Platform Apps',
  rest: { method: 'POST', path: '/api/v1/apps/{appCode}/clients/{clientCode}/auth/{idp}' },
  ids: { device_id: 'external' },
  input: v.strictObject({
    ...contextEntries,
    idp: v.pipe(v.string(), v.maxLength(40), v.description('Identity provider, as named by the bootstrap.')),
    id_token: v.pipe(v.string(), v.minLength(1), v.maxLength(16_384)),
    nonce: v.exactOptional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(255),
        v.description('The nonce of this sign-in. The ID token must have it, or its SHA-256 in hexadecimal.'),
      ),
    ),
    ...deviceEntries,
  }),
  output: signInAnswer,
  errors: [
    ...refusals,
    'client_access_not_allowed',
    'sign_on_required',
    'invalid_id_token',
    'registration_required',
    'binding_conflict',
    'identity_provider_unavailable',
    ...secondStepRefusals,
  ],
  audited: {
    event: () => 'sign_in',
    concerned: (_, { idp }, answer) => {
      const { id } = (answer?.user ?? {}) as { readonly id?: number }
      return { identity_provider: idp, ...(id === undefined ? {} : { account: id }) }
    },
  },
  handle: async (context, { idp, id_token, nonce, ...device }) => {
    const found = await contextFor(context, device, idp)
    const provider = found.app.settings.providers.find(({ name }) => name === idp)
    if (provider === undefined) throw new EngineError('sign_in_method_not_allowed')
    const { issuer, audience, requires_nonce: isRequired } = provider
    const identity = await context.credentials.identify(id_token, { issuer, audience }, { nonce, isRequired })
    return retryOnConflict(async () => {
      const { account, appends } = await accountBoundTo(context, identity)
      requireAdmitted(found, account)
      await requireOtherWays(context, account, issuer)
      await requireSecondStep(context, account, { app: { ...device, method: idp }, identity })
      return startSession(context, found, device, account, appends)
    })
  },
})

/** The app and its client, if both are available. Unknown ones are reported as unavailable. */
export async function availableContext(
  context: Context,
  input: Pick<AppSignInInput, 'appCode' | 'clientCode'>,
): Promise<AppAtClient> {
  return findContext(context, input).catch((error: unknown) => {
    throw isEngineError(error, 'app_context_not_found') ? new EngineError('app_unavailable') : error
  })
}

/** The same, if the sign-in method is allowed. */
export async function contextFor(context: Context, input: AppSignInInput, method: string): Promise<AppAtClient> {
  const found = await availableContext(context, input)
  if (!found.client.settings.methods.includes(method)) throw new EngineError('sign_in_method_not_allowed')
  return found
}

/** Refuses kinds of account that the app is not for, and accounts of another business than the client's. */
export function requireAdmitted({ app, client }: AppAtClient, { role, business_id }: AccountState): void {
  if (!app.settings.roles.includes(role)) throw new EngineError('app_role_not_allowed', { received: role })
  if (business_id !== client.settings.business_id) throw new EngineError('client_access_not_allowed')
}

/** A new session in an app: its append, and the answer with its token. */
export function newAppSession(
  context: Context,
  { app, client }: AppAtClient,
  { appCode: app_code, clientCode: client_code, device_id, device_platform, app_version }: AppSignInInput,
  account: AccountState,
): { readonly append: Append; readonly answer: Answer } {
  const appContext = {
    app_code,
    client_code,
    platform: device_platform,
    device: context.credentials.blind(`device\0${device_id}`),
    ...(typeof app_version === 'string' ? { app_version } : {}),
  }
  const { append, answer } = newSession(context, account, { app: appContext })
  const { display_name: client_name } = client.settings
  const app_context = { app_code, client_code, client_name, configuration_version: app.configurationVersion }
  const user = { id: account.account_id, name: account.name ?? '', email: account.email ?? '' }
  return { append, answer: { ...answer, user, app_context } }
}

/** Starts an app session, in one transaction with the given appends. */
export async function startSession(
  context: Context,
  found: AppAtClient,
  device: AppSignInInput,
  account: AccountState,
  appends: readonly Append[] = [],
): Promise<Answer> {
  const { append, answer } = newAppSession(context, found, device, account)
  await context.store.appendMany([...appends, append])
  return answer
}
