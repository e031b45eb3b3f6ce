import type { Location, ProofOfDelivery, Target, Timeline } from '../../engine/index.ts'
import { places } from '../shared/identity.ts'
import { placeKey } from '../shared/place.ts'
import { cached, filled, type Plain, type Prepared } from '../shared/template/index.ts'
import { objectName, partUri, pieceUri } from './names.ts'
import { carried, isDescribable, organization, piece, place, proofDocument, proofsOf } from './objects.ts'
import type { LogisticsObject } from './schema.ts'
import { shipment, shipmentOf, waybill } from './shipment.ts'

/** The objects that the events of a timeline link to. Each is described once, beside the events. */
export interface Links {
  readonly piece: Plain
  /** The objects that were linked so far, the piece first. */
  included(): readonly Prepared<LogisticsObject>[]
  /** The URI of a place. Undefined if the model cannot describe it. */
  place(location: Location): Plain | undefined
  organization(name: string): Plain
  documents(pod: ProofOfDelivery): readonly Plain[]
}

const described = {
  piece: filled(piece),
  shipment: filled(shipment),
  waybill: filled(waybill),
  place: filled(place),
  organization: filled(organization),
  document: filled(proofDocument),
}

const nameOfPlace = cached(
  (location: Location) => (isDescribable(location) ? objectName('location', placeKey(carried(location))) : undefined),
  places,
)

const nameOfOrganization = cached((name: string) => objectName('organization', name))

/** Collects the links of a timeline. */
export function linksOf(target: Target, { subject }: Timeline): Links {
  const uri = pieceUri(target, subject)
  const of = shipmentOf(target, subject)
  const included: Prepared<LogisticsObject>[] = []
  const uris = new Map<string, Plain>()
  /** The URI of the object with this name. The first call describes the object. */
  const uriOf = (name: Plain, describe: (uri: Plain) => Prepared<LogisticsObject>) => {
    const known = uris.get(name)
    if (known !== undefined) return known
    const fresh = partUri(uri, name)
    uris.set(name, fresh)
    included.push(describe(fresh))
    return fresh
  }
  return {
    piece: uri,
    included: () => [
      described.piece({ uri, subject, shipment: of?.uri }),
      ...(of === undefined ? [] : [described.shipment({ ...of, pieces: [uri] }), described.waybill(of)]),
      ...included,
    ],
    place: (location) => {
      const name = nameOfPlace(location)
      return name === undefined ? undefined : uriOf(name, (uri) => described.place({ uri, location }))
    },
    organization: (name) => uriOf(nameOfOrganization(name), (uri) => described.organization({ uri, name })),
    documents: (pod) =>
      proofsOf(pod).map(([type, link]) =>
        uriOf(objectName(type, link), (uri) => described.document({ uri, type, link })),
      ),
  }
}
