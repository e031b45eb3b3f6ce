import type { Domain } from '../../entity/domain.ts'
import { searchAddress } from './operations.ts'

export type { AddressPorts } from './ports.ts'

/** Address search over the addresses that other domains know. */
export const addressesDomain: Domain = { name: 'addresses', events: {}, operations: [searchAddress] }
