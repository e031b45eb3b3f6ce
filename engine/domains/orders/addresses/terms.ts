import type { Credentials } from '../../../kernel/credentials.ts'
import { plainPostalCode } from '../../../kernel/places/postal-codes.ts'
import type { Party } from '../schema.ts'
import { wordsOf } from '../terms.ts'

type Blinding = Pick<Credentials, 'blind'>
type Address = Party['address']

/** So many terms the addresses of an order are found by at most. */
export const maxAddressTerms = 32

/** The form of a postal code that is compared. */
export function postalKey(code: string): string {
  return plainPostalCode(code.toWellFormed())
}

/** The words that an address is found by: those of the street and its second line, the locality and the postal code. */
export function wordsOfAddress({ street, street2 = '', locality = '', postal_code = '' }: Address): readonly string[] {
  return wordsOf(`${postal_code} ${locality} ${street} ${street2}`)
}

/** The blinded term of a word of an address; the same word is another one in another business. */
export function wordTerm({ blind }: Blinding, businessId: number, word: string): string {
  return blind(`order address ${businessId} ${word}`)
}

/** The blinded term of a postal code as a whole. */
export function postalTerm({ blind }: Blinding, businessId: number, code: string): string {
  return blind(`order postal code ${businessId} ${postalKey(code)}`)
}

/** The blinded search terms of the addresses of an order. */
export function addressTermsOf(
  credentials: Blinding,
  businessId: number,
  parties: readonly (Party | undefined)[],
): readonly string[] {
  const addresses = parties.flatMap((party) => (party === undefined ? [] : [party.address]))
  const each = Math.floor(maxAddressTerms / Math.max(1, addresses.length))
  const terms = addresses.flatMap((address) => {
    const { postal_code } = address
    const whole = postal_code === undefined ? [] : [postalTerm(credentials, businessId, postal_code)]
    const words = wordsOfAddress(address).map((word) => wordTerm(credentials, businessId, word))
    return [...whole, ...words].slice(0, each)
  })
  return [...new Set(terms)]
}
