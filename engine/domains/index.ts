import type { Domain } from '../kernel/domain.ts'
import { providersDomain } from './providers/index.ts'
import { trackingDomain } from './tracking/index.ts'

/** THE LIST of domains. */
export const domains: readonly Domain[] = [trackingDomain, providersDomain]
