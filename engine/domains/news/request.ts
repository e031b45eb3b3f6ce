import * as v from 'valibot'
import type { Language } from '../../kernel/catalogue.ts'
import type { Context } from '../../kernel/context.ts'
import { deriveNumber } from '../../kernel/id.ts'
import { email } from '../../kernel/schemas.ts'
import { unsealed } from '../../kernel/sealed-text.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { newsStream } from './subscription.ts'

/** Milliseconds for which the link that confirms an address is good. */
const confirmWithin = 24 * 3_600_000

const request = v.strictObject({
  purpose: v.literal('news'),
  id: v.number(),
  timeline: v.custom<StreamName>((value) => typeof value === 'string' && value.startsWith('tracking-')),
  number: v.string(),
  language: v.string(),
  email,
  until: v.number(),
})

/** What somebody asked for, as the link in the e-mail says it. */
export type NewsRequest = v.InferOutput<typeof request>

/** Who asks for news, and of what. */
export interface AskedNews {
  readonly timeline: StreamName
  readonly number: string
  readonly language: Language
  readonly email: string
}

/** Whether a text is an e-mail address. */
export function isMailAddress(text: string): boolean {
  return v.is(email, text)
}

/** The keyed hash of an address; letters of both cases are the same. */
export function blindAddress({ credentials }: Pick<Context, 'credentials'>, address: string): string {
  return credentials.blind(`news\0${address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`)
}

/** The secret of the link that confirms an address. It is only in the e-mail: what nobody confirms is kept nowhere. */
export function sealNewsRequest(
  { credentials, clock, randomId }: Pick<Context, 'credentials' | 'clock' | 'randomId'>,
  asked: AskedNews,
): string {
  const id = deriveNumber('news', randomId())
  const made: NewsRequest = { purpose: 'news', id, ...asked, until: clock() + confirmWithin }
  return credentials.seal(JSON.stringify(made))
}

/** What a link asks for; undefined if it is none of this server, or has run out. */
export function newsRequestIn(context: Pick<Context, 'credentials' | 'clock'>, text: string): NewsRequest | undefined {
  return unsealed(context, request, text)
}

/** The text of the link that ends a subscription, for as long as it lasts. */
export function stopToken({ credentials }: Pick<Context, 'credentials'>, id: number): string {
  return `${id.toString(36)}.${credentials.sign(stopText(id))}`
}

/** The subscription that a link ends; undefined if this server did not make the link. */
export function subscriptionOf({ credentials }: Pick<Context, 'credentials'>, token: string): number | undefined {
  const [, digits = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]{1,100})$/.exec(token) ?? []
  const id = Number.parseInt(digits, 36)
  return Number.isSafeInteger(id) && credentials.isSigned(stopText(id), signature) ? id : undefined
}

function stopText(id: number): string {
  return `end ${newsStream(id)}`
}
