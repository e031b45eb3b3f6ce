import type { Domain } from '../../kernel/domain.ts'
import { searchAddress } from './operations.ts'

/** Address search over the addresses that other domains know. */
export const addressesDomain: Domain = { name: 'addresses', events: {}, operations: [searchAddress] }
