import type { Domain } from '../../kernel/domain.ts'
import { searchAddress } from './operations.ts'
import type { AddressBook } from './port.ts'

/** Questions about addresses, answered from a book that another part of the engine keeps. */
export function addressesDomain(book: AddressBook): Domain {
  return { name: 'addresses', events: {}, operations: [searchAddress(book)] }
}
