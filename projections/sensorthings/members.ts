import type { Address, Location, ProofOfDelivery, Source, Subject } from '../../engine/index.ts'
import { sources } from '../shared/identity.ts'
import { addressMembers, placeMembers, proofMembers, sourceMembers, subjectMembers } from '../shared/members.ts'
import { cachedPart, object, type Template, within } from '../shared/template/index.ts'

/** The identifiers of the subject. */
export const subject = object<Subject, Subject>(subjectMembers)

const source = object<Source, Source>(sourceMembers)

/** The source, if it is known. */
export function sourceOf<Input>(get: (input: Input) => Source | undefined): Template<Input, Source | undefined> {
  return cachedPart(get, source, sources)
}

/** A proof of delivery. */
export const proof = object<ProofOfDelivery, ProofOfDelivery>(proofMembers)

const address = object<Address, Address>(addressMembers)

/** All members of a place. */
export const location = object<Location, Location>({
  ...placeMembers,
  address: within(({ address }) => address, address),
})
