import * as v from 'valibot'
import { amountText, currencyCode } from './money.ts'

/** A payment that a provider is to take. */
export interface AskedPayment {
  /** Names the payment: however often it is asked, also at once, it is taken once. */
  readonly key: string
  /** Decimal text, with the decimals of its currency. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** What it is for, in English: `label_service 12`. */
  readonly description: string
  /** After which it is not to be taken any more: ISO 8601, UTC. */
  readonly expires_at: string
  /** Where the provider reports what became of it. */
  readonly notify_url: string
}

/** Where the payer is to go, and what the provider calls the payment; or why it takes none. */
export const begunAnswer = v.union([
  v.strictObject({
    url: v.pipe(v.string(), v.maxLength(2000), v.regex(/^https?:\/\/[\x21-\x7e]+$/)),
    reference: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  }),
  v.strictObject({ refused: v.pipe(v.string(), v.maxLength(400)) }),
])

/** Where the payer is to go; or why the provider takes no payment. */
export type BegunAnswer = v.InferOutput<typeof begunAnswer>

/** What a provider says became of a payment. A success says how much was taken. */
export const paymentReport = v.variant('outcome', [
  v.strictObject({
    outcome: v.literal('succeeded'),
    key: v.pipe(v.string(), v.maxLength(100)),
    amount: amountText,
    currency: currencyCode,
  }),
  v.strictObject({ outcome: v.literal('failed'), key: v.pipe(v.string(), v.maxLength(100)) }),
])

/** What a provider says became of a payment. */
export type PaymentReport = v.InferOutput<typeof paymentReport>

/** A request that came to the address of an account at a provider; header names are in lower case. */
export interface PaymentNotice {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** What comes with every question. */
export interface PaymentCall<Credentials = unknown> {
  /** Those of the account, as the schema of the provider says. */
  readonly credentials: Credentials
  /** Epoch milliseconds. */
  readonly now: number
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/**
 * Somebody outside who takes payments. What it throws, and an answer of another form, is no answer.
 *
 * - `begin` says where the payer is to go. It may be asked again with the same key.
 * - `receive` reads what the provider sends by itself: undefined for what is not signed with the credentials of the account.
 */
export interface PaymentProvider<Credentials = never> {
  /** Lower-case letters, digits and single hyphens. */
  readonly name: string
  /** As people know it. */
  readonly title: string
  /** The schema of its credentials: an object whose members are texts. */
  readonly credentials: v.GenericSchema
  begin(payment: AskedPayment, call: PaymentCall<Credentials>): Promise<BegunAnswer>
  receive(notice: PaymentNotice, call: PaymentCall<Credentials>): Promise<PaymentReport | undefined>
}

/** The payment providers of this server. Questions never throw: what a provider does wrong is no answer. */
export interface PaymentProviders {
  readonly installed: readonly PaymentProvider[]
  /** Where the payer is to go; undefined if there is no answer. */
  begin(provider: PaymentProvider, credentials: unknown, payment: AskedPayment): Promise<BegunAnswer | undefined>
  /** What became of a payment; undefined for what the provider has not signed. */
  receive(provider: PaymentProvider, credentials: unknown, notice: PaymentNotice): Promise<PaymentReport | undefined>
}

/** What is wrong with the parts of a provider: the path of the member and an English sentence. */
export function paymentProviderFindings(
  provider: Partial<PaymentProvider>,
): readonly { readonly path: string; readonly message: string }[] {
  const { name = '', title = '', credentials, begin, receive } = provider
  const isSchema = (credentials as { readonly kind?: unknown } | undefined)?.kind === 'schema'
  const found = [
    [/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= 60, 'name', 'must be lower-case words, such as my-bank'],
    [typeof title === 'string' && title.trim() !== '', 'title', 'must not be empty'],
    [isSchema, 'credentials', 'must be a schema of valibot'],
    [typeof begin === 'function', 'begin', 'must be a function'],
    [typeof receive === 'function', 'receive', 'must be a function'],
  ] as const
  return found.flatMap(([isRight, path, message]) => (isRight ? [] : [{ path, message }]))
}
