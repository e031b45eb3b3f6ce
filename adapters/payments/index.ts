import type { PaymentProvider, PaymentProviders } from '../../engine/index.ts'
import { createPaymentProviders } from './ask.ts'
import { testProvider } from './test-provider.ts'

export { signedByTestProvider } from './test-provider.ts'

/** The payment providers of this node, the built-in one and others. */
export function createNodePayments(others: readonly PaymentProvider[], clock: () => number): PaymentProviders {
  return createPaymentProviders([testProvider, ...others], clock)
}

/** The names of the payment providers that this server knows without plug-ins. */
export const builtInPaymentProviders = [testProvider.name]
