import { slotsOf } from '../term-model.ts'
import { maxAddressTerms } from './terms.ts'

/** The blinded terms that the addresses of orders are found by. */
export const addressTermModel = slotsOf('order_address_terms', maxAddressTerms, ({ address_terms }) => address_terms)
