import { identifierKinds, type Location, type ProofOfDelivery, type Source, type Subject } from '../../engine/index.ts'

/** A subject with its members in an order of ours, so that theirs does not show. */
export function subjectOf(subject: Subject): Subject {
  return picked(subject, identifierKinds)
}

/** A source with its members in an order of ours. */
export function sourceOf(source: Source): Source {
  return picked(source, ['type', 'provider', 'code'])
}

/** A proof with its members in an order of ours. */
export function proofOf(proof: ProofOfDelivery): ProofOfDelivery {
  return picked(proof, ['recipient', 'signed_at', 'signature_url', 'photo_urls', 'note'])
}

/** A location with its members in an order of ours. */
export function locationOf(location: Location): Location {
  const { address } = location
  const rest = picked(location, ['name', 'unlocode', 'gln', 'latitude', 'longitude'])
  if (address === undefined) return rest
  return { ...rest, address: picked(address, ['street', 'locality', 'region', 'postal_code', 'country']) }
}

function picked<Whole extends object>(whole: Whole, keys: readonly (keyof Whole)[]): Whole {
  const part: Partial<Whole> = {}
  for (const key of keys) {
    if (whole[key] !== undefined) part[key] = whole[key]
  }
  // `keys` are all that a value has, save an address, which is put back.
  return part as Whole
}
