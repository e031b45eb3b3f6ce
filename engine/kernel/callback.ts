import * as v from 'valibot'
import { type BodyFormat, bodyFormats } from './endpoint.ts'
import type { Code } from './messages/index.ts'
import { named } from './named.ts'
import { url } from './schemas.ts'

/** How a callback may be signed. */
const signatures = ['native', 'standard', 'ed25519'] as const

const format = v.exactOptional(
  v.pipe(
    v.picklist(bodyFormats),
    v.description('The body as it is, or as a CloudEvent: in headers, or in the body. Default: native.'),
  ),
)

const signature = v.exactOptional(
  v.pipe(
    v.picklist(signatures),
    v.description(
      'standard: with the headers of Standard Webhooks beside the native ones; ed25519: also signed for the public_keys of the webhook settings. Default: native.',
    ),
  ),
)

/** The members of a request that asks to be notified by webhook of what becomes of it. */
export const callbackEntries = {
  callback: v.exactOptional(
    v.pipe(
      named(
        'Callback',
        v.strictObject({
          url: v.pipe(url, v.description('A public https URL.')),
          format,
          signature,
        }),
      ),
      v.description('Where to send the open.* webhook events of this request. Signed with the webhook_sign_secret.'),
    ),
  ),
  callback_format: v.pipe(format, v.description('Instead of callback.format.')),
  callback_signature: v.pipe(signature, v.description('Instead of callback.signature.')),
}

interface CallbackInput {
  readonly callback?: {
    readonly url: string
    readonly format?: BodyFormat
    readonly signature?: (typeof signatures)[number]
  }
  readonly callback_format?: BodyFormat
  readonly callback_signature?: (typeof signatures)[number]
}

/** Where to send the webhook events of a request, and how. */
export interface Callback {
  readonly url: string
  readonly format: BodyFormat
  /** Whether Standard Webhooks headers are sent too. */
  readonly standard: boolean
  /** Whether an ed25519 key signs Standard Webhooks, too. */
  readonly ed25519: boolean
}

/** The problem of a callback, if any: an option without a callback, or an option that is given twice. */
export function callbackProblem(input: CallbackInput): readonly [member: string, code: Code] | undefined {
  const { callback, callback_format, callback_signature } = input
  if (callback_format !== undefined && callback?.format !== undefined) return ['callback_format', 'not_unique']
  if (callback_signature !== undefined && callback?.signature !== undefined) return ['callback_signature', 'not_unique']
  const isOption = callback_format !== undefined || callback_signature !== undefined
  return isOption && callback === undefined ? ['callback', 'required'] : undefined
}

/** The callback of a request, if it asks for one. */
export function callbackIn({ callback, callback_format, callback_signature }: CallbackInput): Callback | undefined {
  if (callback === undefined) return undefined
  const { url, format = callback_format ?? 'native', signature = callback_signature ?? 'native' } = callback
  return { url, format, standard: signature !== 'native', ed25519: signature === 'ed25519' }
}
