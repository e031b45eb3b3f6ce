import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { type Answer, operation } from '../../../kernel/operation.ts'
import { email } from '../../../kernel/schemas.ts'
import type { AccountState } from '../account.ts'
import { blindEmail, findCredential } from '../credential.ts'
import { messageFor } from '../mails.ts'
import { openAccount } from '../open.ts'
import { accountStateOf } from '../read.ts'
import { mailedName, newPassword, phone } from '../schema.ts'
import type { AppAtClient } from './read.ts'
import {
  codeLength,
  confirmedRegistration,
  isRegistrationOpen,
  newCode,
  resendAfter,
  sealRegistration,
} from './registration.ts'
import { contextEntries } from './schema.ts'
import { availableContext, deviceEntries, signInAnswer, startSession } from './sign-in.ts'

const tag = 'Platform Apps'

async function openRegistration(
  context: Context,
  input: { appCode: string; clientCode: string },
): Promise<AppAtClient> {
  const found = await availableContext(context, input)
  if (!isRegistrationOpen(found, context.messenger)) throw new EngineError('registration_closed')
  return found
}

/** Sends the codes with which a customer registers. */
export const register = operation({
  name: 'app_register',
  summary:
    'Begin to register as a customer of a client: a code is sent to the email address, and one to the phone where that is required. The answer is the same for an address that has an account.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/apps/{appCode}/clients/{clientCode}/registrations' },
  input: v.strictObject({
    ...contextEntries,
    email,
    phone: v.exactOptional(v.pipe(phone, v.description('Needed if `phone_verification_required`.'))),
  }),
  output: v.strictObject({
    result: v.literal(true),
    registration: v.pipe(v.string(), v.description('To be sent back with the code. It is valid for 10 minutes.')),
    code_length: v.number(),
    resend_after: v.pipe(v.number(), v.description('Seconds before another code can be asked for.')),
  }),
  errors: ['app_unavailable', 'registration_closed', 'phone_required'],
  audited: { event: () => 'registration_request' },
  handle: async (context, { appCode: app, clientCode: client, email: address, phone: number }) => {
    const { client: at, app: of } = await openRegistration(context, { appCode: app, clientCode: client })
    const byPhone = at.settings.registration?.phone_verification_required === true
    if (byPhone && number === undefined) throw new EngineError('phone_required')
    const { name } = of.settings
    const code = sendCode(context, address, name)
    const phoneCode = byPhone && number !== undefined ? sendPhoneCode(context, number, name) : ''
    const registration = sealRegistration(context, {
      ...{ app, client, email: address, code, phoneCode, phone: byPhone ? number : undefined },
    })
    return { result: true, registration, code_length: codeLength, resend_after: resendAfter }
  },
})

/**
 * Sends a code and returns it. The owner of an address that has an account is notified of that, and gets no code. An address that
 * has received enough gets none either: nobody can guess what is returned then, so asking again gives no more guesses.
 */
function sendCode(context: Context, to: string, app: string): string {
  const { messenger, credentials, source, baseUrl } = context
  if (!messenger.admit(blindEmail(credentials, to), source)) return credentials.token()
  const code = newCode(context)
  messenger.post(async () => {
    const isTaken = (await findCredential(context, to)).state !== undefined
    if (!isTaken) return messageFor(context, { kind: 'code', to, values: { code, app } })
    return messageFor(context, { kind: 'taken', to, values: { link: `${baseUrl}/account/forgotten` } })
  })
  return code
}

/** The same by SMS, whether or not the email address has an account: the person who has the phone does not learn that. */
function sendPhoneCode(context: Context, to: string, app: string): string {
  const { messenger, credentials, source } = context
  if (!messenger.admit(credentials.blind(`phone\0${to}`), source)) return credentials.token()
  const code = newCode(context)
  const { subject } = messageFor(context, { kind: 'code', to, values: { code, app } })
  messenger.post(async () => ({ by: 'sms', to, subject: '', text: [subject] }))
  return code
}

const confirmation = {
  ...contextEntries,
  registration: v.pipe(v.string(), v.minLength(1), v.maxLength(2_000)),
  code: v.pipe(v.string(), v.maxLength(20), v.description('The code in the e-mail.')),
  phone_code: v.exactOptional(v.pipe(v.string(), v.maxLength(20), v.description('The code in the text message.'))),
  name: mailedName,
  password: newPassword,
}

const refusals = [
  ...(['app_unavailable', 'registration_closed', 'wrong_code', 'phone_required'] as const),
  ...(['too_many_attempts', 'email_taken', 'too_busy'] as const),
]

const audited = {
  event: () => 'account_open',
  concerned: (_: Context, { appCode }: { readonly appCode: string }, answer?: Answer) => ({
    ...{ app: appCode, registered: true },
    ...(answer?.status === undefined ? {} : { status: String(answer.status) }),
  }),
}

/** Opens the account of a customer who has the codes; undefined where the business has to approve it first. */
async function openRegistered(
  context: Context,
  { appCode: app, clientCode: client, ...input }: v.InferOutput<v.StrictObjectSchema<typeof confirmation, undefined>>,
): Promise<{ readonly found: AppAtClient; readonly account: AccountState | undefined }> {
  const { registration, code, phone_code: phoneCode, name, password } = input
  const found = await openRegistration(context, { appCode: app, clientCode: client })
  const pending = await confirmedRegistration(context, registration, { app, client, code, phoneCode })
  if (pending === undefined) throw new EngineError('wrong_code')
  const { business_id: business, registration: rules } = found.client.settings
  if (rules?.phone_verification_required === true && pending.phone === undefined)
    throw new EngineError('phone_required')
  const person = { email: pending.email, phone: pending.phone, name, password }
  const awaitsApproval = rules?.requires_approval === true
  const opened = await openAccount(context, { ...person, business, role: 'customer', awaitsApproval }, null)
  return { found, account: awaitsApproval ? undefined : await accountStateOf(context, opened.accountId) }
}

/** Opens the account of a customer who has the codes, and signs in to the app. */
export const confirmRegistration = operation({
  name: 'app_confirm_registration',
  summary:
    'Finish to register with the codes that were sent: it opens the account and signs in, or waits until the business approves it.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  rest: { method: 'POST', path: '/api/v1/apps/{appCode}/clients/{clientCode}/registrations/confirm' },
  ids: { device_id: 'external' },
  input: v.strictObject({ ...confirmation, ...deviceEntries }),
  output: v.strictObject({
    result: v.literal(true),
    status: v.picklist(['signed_in', 'pending_approval']),
    session: v.exactOptional(signInAnswer),
  }),
  errors: refusals,
  audited,
  handle: async (context, { device_id, device_platform, app_version, ...input }) => {
    const { found, account } = await openRegistered(context, input)
    if (account === undefined) return { result: true, status: 'pending_approval' }
    const { appCode, clientCode } = input
    const device = { appCode, clientCode, device_id, device_platform, ...omitUndefined({ app_version }) }
    return { result: true, status: 'signed_in', session: await startSession(context, found, device, account) }
  },
})

/** Opens the account of a customer who registers on the page of the server, on no device of the app. */
export const confirmOnPage = operation({
  name: 'confirm_registration_on_page',
  summary: 'Finish to register on the page of an app: it opens the account, or waits until the business approves it.',
  scopes: [],
  risk: 'low',
  writes: true,
  secret: true,
  tag,
  input: v.strictObject(confirmation),
  output: v.strictObject({ result: v.literal(true), status: v.picklist(['open', 'pending_approval']) }),
  errors: refusals,
  audited,
  handle: async (context, input) => {
    const { account } = await openRegistered(context, input)
    return { result: true, status: account === undefined ? 'pending_approval' : 'open' }
  },
})
