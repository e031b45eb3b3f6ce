import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import {
  begunAnswer,
  type PaymentCall,
  type PaymentProvider,
  type PaymentProviders,
  paymentReport,
} from '../../engine/index.ts'

/** Milliseconds that a provider has to say where the payer is to go, and to read what it sent. */
const deadlines = { begin: 15_000, receive: 5_000 } as const

/** The payment providers of this node: each answer is checked, and none is waited for longer than its deadline. */
export function createPaymentProviders(installed: readonly PaymentProvider[], clock: () => number): PaymentProviders {
  async function answered<Schema extends GenericSchema>(
    schema: Schema,
    deadline: number,
    ask: (call: PaymentCall<never>) => Promise<unknown>,
    credentials: unknown,
  ): Promise<InferOutput<Schema> | undefined> {
    const signal = AbortSignal.timeout(deadline)
    try {
      // The schema of the provider has checked the credentials.
      const asked = ask({ credentials: credentials as never, now: clock(), signal })
      const { success, output } = safeParse(schema, await Promise.race([asked, whenAborted(signal)]), {
        abortEarly: true,
      })
      return success ? output : undefined
    } catch {
      return undefined
    }
  }
  return {
    installed,
    begin: (provider, credentials, payment) =>
      answered(begunAnswer, deadlines.begin, async (call) => provider.begin(payment, call), credentials),
    receive: (provider, credentials, notice) =>
      answered(paymentReport, deadlines.receive, async (call) => provider.receive(notice, call), credentials),
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
