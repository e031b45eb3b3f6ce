import type { Address, Location, ProofOfDelivery, Source, Subject } from '../../engine/index.ts'
import { sources } from '../shared/likeness.ts'
import { label, list, number, object, plain, recurring, type Template, text, within } from '../shared/template/index.ts'

/** The identifiers of what is tracked. */
export const subject = object<Subject, Subject>({
  tracking_number: text(({ tracking_number }) => tracking_number),
  external_tracking_number: text(({ external_tracking_number }) => external_tracking_number),
  gs1_sscc: text(({ gs1_sscc }) => gs1_sscc),
  piece_id: text(({ piece_id }) => piece_id),
  package_id: number(({ package_id }) => package_id),
  order_id: number(({ order_id }) => order_id),
})

/** Who says so, where that is told. */
export function sourceOf<Given>(get: (given: Given) => Source | undefined): Template<Given, Source | undefined> {
  return recurring(get, source, sources)
}

const source = object<Source, Source>({
  type: text(({ type }) => type),
  provider: text(({ provider }) => provider),
  code: text(({ code }) => code),
})

/** A proof of delivery. */
export const proof = object<ProofOfDelivery, ProofOfDelivery>({
  recipient: text(({ recipient }) => recipient),
  signed_at: plain(({ signed_at }) => signed_at),
  signature_url: text(({ signature_url }) => signature_url),
  photo_urls: list(
    ({ photo_urls }) => photo_urls,
    text((url: string) => url),
  ),
  note: text(({ note }) => note),
})

const address = object<Address, Address>({
  street: text(({ street }) => street),
  locality: label(({ locality }) => locality),
  region: label(({ region }) => region),
  postal_code: text(({ postal_code }) => postal_code),
  country: label(({ country }) => country),
})

/** All that is known of a place. */
export const location = object<Location, Location>({
  name: label(({ name }) => name),
  unlocode: label(({ unlocode }) => unlocode),
  gln: label(({ gln }) => gln),
  latitude: number(({ latitude }) => latitude),
  longitude: number(({ longitude }) => longitude),
  address: within(({ address }) => address, address),
})
