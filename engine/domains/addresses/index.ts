import type { Domain } from '../../kernel/domain.ts'
import { searchAddress } from './operations.ts'

/** Questions about addresses, answered by the domains that know some. */
export const addressesDomain: Domain = { name: 'addresses', events: {}, operations: [searchAddress] }
