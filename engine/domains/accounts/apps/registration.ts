import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { sha256 } from '../../../kernel/id.ts'
import type { Messenger } from '../../../kernel/messenger.ts'
import { email } from '../../../kernel/schemas.ts'
import { unsealed } from '../../../kernel/sealed-text.ts'
import { typedCode } from '../../../kernel/short-code.ts'
import { phone } from '../schema.ts'
import type { AppAtClient } from './read.ts'

/** Digits of a code. */
export const codeLength = 6

/** Seconds before another code can be asked for; the limit `messages_again` refuses it before. */
export const resendAfter = 60

/** Milliseconds for which a code is good. */
const validity = 600_000

/** How often codes of one registration may be tried. */
const mostTries = 5

/** Whether customers can register now: the client allows it, and the server sends what is needed for it. */
export function isRegistrationOpen({ app, client }: AppAtClient, { sendsMail, sendsSms }: Messenger): boolean {
  const { registration } = client.settings
  if (registration === undefined || !sendsMail || !app.settings.roles.includes('customer')) return false
  return sendsSms || !registration.phone_verification_required
}

const contents = v.strictObject({
  purpose: v.literal('registration'),
  app: v.string(),
  client: v.string(),
  email,
  phone: v.exactOptional(phone),
  until: v.number(),
  /** Makes the hashes of each registration other ones. */
  salt: v.string(),
  code: v.string(),
  phone_code: v.exactOptional(v.string()),
})

/** What a registration says: whose it is, and the hashes of its codes. */
type Pending = v.InferOutput<typeof contents>

/** A new code: six digits. */
export function newCode({ credentials }: Pick<Context, 'credentials'>): string {
  const number = Number.parseInt(credentials.token().slice(0, 12), 16) % 10 ** codeLength
  return String(number).padStart(codeLength, '0')
}

function hashOf({ credentials }: Pick<Context, 'credentials'>, salt: string, by: 'email' | 'phone', code: string) {
  return credentials.blind(`code\0${salt}\0${by}\0${typedCode(code)}`)
}

/** Who registers where, with the codes that were sent. */
interface NewRegistration {
  readonly app: string
  readonly client: string
  readonly email: string
  readonly phone?: string | undefined
  readonly code: string
  readonly phoneCode: string
}

/** The text that the app sends back with the codes. It is sealed: nothing of a registration is kept until it is confirmed. */
export function sealRegistration(
  context: Context,
  { code, phoneCode, phone: number, ...who }: NewRegistration,
): string {
  const salt = context.credentials.token()
  const pending: Pending = {
    ...{ purpose: 'registration', ...who, salt, until: context.clock() + validity },
    code: hashOf(context, salt, 'email', code),
    ...(number !== undefined && { phone: number, phone_code: hashOf(context, salt, 'phone', phoneCode) }),
  }
  return context.credentials.seal(JSON.stringify(pending))
}

/** The registration in a text, if it is of this app and client, has not run out, and its codes are right; undefined otherwise. */
export async function confirmedRegistration(
  context: Context,
  text: string,
  { app, client, code, phoneCode = '' }: { app: string; client: string; code: string; phoneCode?: string | undefined },
): Promise<Pending | undefined> {
  const pending = unsealed(context, contents, text)
  if (pending === undefined || pending.app !== app || pending.client !== client) return undefined
  await context.credentials.attempts.countTry(sha256(pending.salt), mostTries)
  const isRight = pending.code === hashOf(context, pending.salt, 'email', code)
  const isPhoneRight =
    pending.phone_code === undefined || pending.phone_code === hashOf(context, pending.salt, 'phone', phoneCode)
  return isRight && isPhoneRight ? pending : undefined
}
