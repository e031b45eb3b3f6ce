import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { type PaymentProvider, paymentReport } from '../../engine/index.ts'

const credentials = v.strictObject({
  webhook_secret: v.pipe(v.string(), v.minLength(16), v.maxLength(200)),
})

/** The header with the HMAC-SHA256 of the body in hexadecimal digits. */
const signatureHeader = 'x-test-payment-signature'

/**
 * A payment provider for tests and demonstrations: nobody is at its address, and no money moves. Who has the secret says that a
 * payment has succeeded or failed, as `docs/how-to/pay-for-orders.md` shows.
 */
export const testProvider: PaymentProvider<v.InferOutput<typeof credentials>> = {
  name: 'test',
  title: 'Test payments',
  credentials,
  begin: async ({ key, amount, currency }) => ({
    url: `https://payments.example/pay/${key}?amount=${amount}&currency=${currency}`,
    reference: key,
  }),
  receive: async ({ body, headers }, { credentials: { webhook_secret } }) =>
    isSigned(body, headers[signatureHeader], webhook_secret)
      ? v.parse(paymentReport, JSON.parse(new TextDecoder().decode(body)))
      : undefined,
}

function isSigned(body: Uint8Array, signature = '', secret: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signedByTestProvider(body, secret))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** The signature of the test provider under what it sends. */
export function signedByTestProvider(body: string | Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
