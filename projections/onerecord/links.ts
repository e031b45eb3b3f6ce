import type { Location, ProofOfDelivery, Target, Timeline } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { placeKey } from '../shared/place.ts'
import { codeLink } from './codes.ts'
import { documentOf, organizationOf, pieceOf, placeOf, proofsOf } from './objects.ts'
import type { CodeLink, LogisticsObject } from './schema.ts'

/** A link to a logistics object, as events have it. */
export interface Link<Type extends LogisticsObject['@type']> {
  '@id': string
  '@type': Type
}

/** What the events of one timeline link to, each thing described once, beside them. */
export interface Links {
  readonly piece: Link<'cargo:Piece'>
  /** What there is to describe by now, the piece first. */
  included(): [LogisticsObject, ...LogisticsObject[]]
  /** The IRI of a code, and its meaning in words. */
  meaning(code: string): { readonly code: CodeLink; readonly words: string }
  /** The place, or nothing where the model can say nothing of it. */
  place(location: Location): Link<'cargo:Location'> | undefined
  organization(name: string): Link<'cargo:Organization'>
  documents(pod: ProofOfDelivery): Link<'cargo:ExternalReference'>[]
}

/** The links of a timeline, below `root`. */
export function linksOf(root: string, { subject, profile }: Timeline, { baseUrl }: Target): Links {
  const piece = pieceOf(root, subject)
  const included = new Map<string, LogisticsObject>()
  const include = <Type extends LogisticsObject['@type']>(object: LogisticsObject & { '@type': Type }): Link<Type> => {
    included.set(object['@id'], object)
    return { '@id': object['@id'], '@type': object['@type'] }
  }
  return {
    piece: { '@id': piece['@id'], '@type': piece['@type'] },
    included: () => [piece, ...included.values()],
    meaning: once(String, (code) => ({
      code: codeLink(baseUrl, profile, code),
      words: meaningOf(profile, code) ?? code,
    })),
    place: once(placeKey, (location, content) => {
      const place = placeOf(root, content, location)
      return place === undefined ? undefined : include(place)
    }),
    organization: once(String, (name) => include(organizationOf(root, name))),
    documents: (pod) => proofsOf(pod).map(([type, link]) => include(documentOf(root, type, link))),
  }
}

/** Does the work once for each content. */
function once<Given, Made>(contentOf: (given: Given) => string, make: (given: Given, content: string) => Made) {
  const made = new Map<string, Made>()
  return (given: Given): Made => {
    const content = contentOf(given)
    const known = made.get(content)
    if (known !== undefined || made.has(content)) return known as Made
    const fresh = make(given, content)
    made.set(content, fresh)
    return fresh
  }
}
