import * as v from 'valibot'
import { type Operation, operation } from '../../../engine/index.ts'

/** A received request; header names are in lower case. */
interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What is wrong with a signature. */
type Flaw = 'incomplete' | 'stale' | 'wrong_digest' | 'wrong_signature'

/** The result of verifying one signature. */
interface Check {
  readonly header: string
  readonly flaw?: Flaw
  readonly missing?: readonly string[]
}

/** Verifies every signature of a request; the first one decides. `now` is in epoch milliseconds. */
export type CheckSignature = (received: Received, secret: string, now: number) => readonly Check[]

const meanings: Readonly<Record<Flaw, string>> = {
  incomplete: 'A header that is needed to verify it is missing.',
  stale: 'The signature is right, but its timestamp is more than five minutes off.',
  wrong_digest: 'The signature is right, but the digest of the body is not: the body was changed.',
  wrong_signature: 'The secret, a signed header or the body is not the one that was signed.',
}

const input = v.strictObject({
  headers: v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(256)), v.pipe(v.string(), v.maxLength(8_192))),
    v.description('The headers of the request, as received.'),
  ),
  body: v.pipe(v.string(), v.maxLength(512 * 1024), v.description('The body, byte for byte as received.')),
  secret: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(512),
    v.description('The secret of the endpoint, or the public key (whpk_) of the sender.'),
  ),
})

/** Verifies a request as a receiver of webhooks has to, and says which part is wrong. */
export function tryWebhookSignature(check: CheckSignature): Operation {
  return operation({
    name: 'try_webhook_signature',
    summary:
      'Verify the signature of a webhook request from its headers, its body and the secret, and say which part is wrong. The secret is neither stored nor logged.',
    scopes: [],
    risk: 'low',
    secret: true,
    mcp: {
      title: 'Try a webhook signature',
      server: 'developer',
      idempotent: true,
      hint: 'Use the secret of a test endpoint: whatever a model is told, its provider reads.',
    },
    input,
    output: v.strictObject({
      result: v.literal(true),
      verified: v.pipe(v.boolean(), v.description('Whether a receiver has to accept the request.')),
      checks: v.pipe(
        v.array(
          v.strictObject({
            header: v.string(),
            flaw: v.exactOptional(v.string()),
            meaning: v.exactOptional(v.string()),
            missing: v.exactOptional(v.array(v.string())),
          }),
        ),
        v.description('Every signature of the request, the strongest first, which decides. Empty if it is not signed.'),
      ),
      cause: v.exactOptional(
        v.pipe(v.string(), v.description('What was found to be wrong with the secret or the body.')),
      ),
    }),
    errors: [],
    handle: async ({ clock }, { headers, body, secret }) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      const checksOf = (text: string, key: string) => check({ headers: lower, body: Buffer.from(text) }, key, clock())
      const checks = checksOf(body, secret)
      const [first] = checks
      const isWrong = first?.flaw === 'wrong_signature'
      const cause = isWrong ? causeOf(body, secret, (...changed) => checksOf(...changed)[0]?.flaw) : undefined
      return {
        result: true,
        verified: first !== undefined && first.flaw === undefined,
        checks: checks.map((one) => (one.flaw === undefined ? one : { ...one, meaning: meanings[one.flaw] })),
        ...(cause === undefined ? {} : { cause }),
      }
    },
  })
}

/** The usual mistake that makes a signature wrong, found by undoing it; undefined if none does. */
function causeOf(
  body: string,
  secret: string,
  flawOf: (body: string, secret: string) => Flaw | undefined,
): string | undefined {
  const undone: readonly (readonly [cause: string, body: string, secret: string])[] = [
    ['There is white space around the secret.', body, secret.trim()],
    ['There is white space around the body that was not sent.', body.trim(), secret],
    ['A line break after the body is missing.', `${body}\n`, secret],
    ['The body was parsed and written anew: verify the bytes as they were received.', rewritten(body), secret],
    ['The line breaks of the body were changed.', body.replaceAll('\r\n', '\n'), secret],
  ]
  return undone.find(([, text, key]) => flawOf(text, key) !== 'wrong_signature')?.[0]
}

/** The same JSON without white space, as it is sent. */
function rewritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}
