import { accountOf } from '../../kernel/call.ts'
import type { Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { Credentials } from '../../kernel/credentials.ts'
import { withoutUnseen } from '../../kernel/number-key.ts'
import { plainLetters } from '../../kernel/places/folded.ts'
import { orderFor } from '../../kernel/uniorder.ts'
import { maxTerms } from './term-model.ts'

/** What somebody of an order is searched by. */
export interface Searched {
  readonly name?: string
  readonly phone?: string
}

type Blinding = Pick<Credentials, 'blind'>

/** So many digits at the end of a phone number are the same with and without a prefix of the country. */
const ownDigits = 7
const maxWords = (maxTerms - 2) / 2

/** The words of a name as they are compared: without case, accents and punctuation. */
export function wordsOf(name: string): readonly string[] {
  return [...new Set(spellingsOf(name).map(([word]) => word))]
}

/** The words of a name, and beside each how earlier versions have blinded it: they kept letters as ł and ø. */
export function spellingsOf(name: string): readonly (readonly [word: string, former: string])[] {
  // The zero-width non-joiner is between parts of words that are compared by themselves.
  const plain = name
    .split('\u200c')
    .map(withoutUnseen)
    .join(' ')
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [plainLetters(word), word])
}

/** The digits of a phone number, without zeros in front: those belong to how it is dialled. */
export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '').replace(/^0+/, '')
}

/** Whether two phone numbers are the same but for a prefix of the country. */
export function isSamePhone(one: string, other: string): boolean {
  const [short, long] = [digitsOf(one), digitsOf(other)].sort((a, b) => a.length - b.length)
  if (short === undefined || long === undefined || short === '') return false
  return short === long || (short.length >= ownDigits && long.endsWith(short))
}

/** The blinded term of a word of a name; the same word is another one in another business. */
export function nameTerm(credentials: Blinding, businessId: number, word: string): string {
  return credentials.blind(`order name ${businessId} ${word}`)
}

/** The blinded term of the last digits of a phone number. */
export function phoneTerm(credentials: Blinding, businessId: number, phone: string): string {
  return credentials.blind(`order phone ${businessId} ${digitsOf(phone).slice(-ownDigits)}`)
}

/** The blinded search terms of a shipment of the caller's business. */
export function termsOfShipment({ credentials, caller }: Context, shipment: Shipment): readonly string[] {
  const { delivery, pickup } = orderFor(shipment)
  return termsOf(credentials, accountOf({ caller }).business.id, [delivery, pickup])
}

/** The blinded search terms of the people of an order: the words of their names, and their phone numbers. */
export function termsOf(credentials: Blinding, businessId: number, parties: readonly (Searched | undefined)[]) {
  const terms = parties.flatMap((party) => {
    if (party === undefined) return []
    const { name = '', phone } = party
    const words = wordsOf(name).slice(0, maxWords)
    const isPhone = phone !== undefined && digitsOf(phone) !== ''
    return [
      ...words.map((word) => nameTerm(credentials, businessId, word)),
      ...(isPhone ? [phoneTerm(credentials, businessId, phone)] : []),
    ]
  })
  return [...new Set(terms)].slice(0, maxTerms)
}
