import type { Domain } from '../../kernel/domain.ts'
import { addProvider, listProviders, revokeProvider } from './operations.ts'

/** Who may push events: providers and their keys. */
export const providersDomain: Domain = { name: 'providers', operations: [addProvider, listProviders, revokeProvider] }
