import * as v from 'valibot'
import type { Credentials } from '../../kernel/credentials.ts'
import { EngineError } from '../../kernel/errors.ts'
import { contentsEntries } from './contents.ts'

/** How long a rate can be booked, in milliseconds. */
export const rateLifetime = 24 * 3_600_000

/** What a rate id says: it is signed, so nothing of a quote has to be stored. It holds no price. */
const ticket = v.strictObject({
  business_id: v.number(),
  customer_id: v.exactOptional(v.number()),
  /** The version of the price list. */
  version: v.number(),
  service: v.string(),
  /** The day that the price is of. */
  day: v.string(),
  /** Epoch milliseconds. */
  expires: v.number(),
  contents: v.strictObject(contentsEntries),
})

/** What a rate id says. */
export type Ticket = v.InferOutput<typeof ticket>

type Signing = Pick<Credentials, 'sign' | 'isSigned'>

const purpose = 'rate '

/** The id of a rate. */
export function rateIdOf({ sign }: Signing, rate: Ticket): string {
  const body = Buffer.from(JSON.stringify(rate)).toString('base64url')
  return `rate_${body}.${sign(purpose + body)}`
}

/** What a rate id says. Throws `rate_invalid` if this server did not make it. */
export function ticketOf({ isSigned }: Signing, rateId: string): Ticket {
  const [, body = '', signature = ''] = /^rate_([\w-]+)\.([\w-]+)$/.exec(rateId) ?? []
  if (body === '' || !isSigned(purpose + body, signature)) throw new EngineError('rate_invalid')
  return v.parse(ticket, JSON.parse(Buffer.from(body, 'base64url').toString()))
}
