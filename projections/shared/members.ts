import type { Address, Location, ProofOfDelivery, Source, SourceWords, Subject } from '../../engine/index.ts'
import { list, type Members, number, object, text, within } from './template/index.ts'

// The parts of a timeline with the protocol's own names and order (OTEP 0.1, section 3), for formats that include them
// whole.

/** The identifiers of what is tracked. */
export const subjectMembers: Members<Subject, Subject> = {
  tracking_number: text(({ tracking_number }) => tracking_number),
  external_tracking_number: text(({ external_tracking_number }) => external_tracking_number),
  gs1_sscc: text(({ gs1_sscc }) => gs1_sscc),
  piece_id: text(({ piece_id }) => piece_id),
  package_id: number(({ package_id }) => package_id),
  order_id: number(({ order_id }) => order_id),
}

/** A postal address. */
export const addressMembers: Members<Address, Address> = {
  street: text(({ street }) => street),
  locality: text(({ locality }) => locality),
  region: text(({ region }) => region),
  postal_code: text(({ postal_code }) => postal_code),
  country: text(({ country }) => country),
}

/** A place without its address. */
export const placeMembers: Members<Location, Omit<Location, 'address'>> = {
  name: text(({ name }) => name),
  unlocode: text(({ unlocode }) => unlocode),
  gln: text(({ gln }) => gln),
  latitude: number(({ latitude }) => latitude),
  longitude: number(({ longitude }) => longitude),
}

/** The words of the EPCIS event that an event was made of. */
export const sourceWords = object<SourceWords, SourceWords>({
  id: text(({ id }) => id),
  action: text(({ action }) => action),
  biz_step: text(({ biz_step }) => biz_step),
  disposition: text(({ disposition }) => disposition),
})

/** The source of an event. */
export const sourceMembers: Members<Source, Source> = {
  type: text(({ type }) => type),
  provider: text(({ provider }) => provider),
  code: text(({ code }) => code),
  event: within(({ event }) => event, sourceWords),
}

/** A proof of delivery. */
export const proofMembers: Members<ProofOfDelivery, ProofOfDelivery> = {
  recipient: text(({ recipient }) => recipient),
  signed_at: text(({ signed_at }) => signed_at),
  signature_url: text(({ signature_url }) => signature_url),
  photo_urls: list(
    ({ photo_urls }) => photo_urls,
    text((url: string) => url),
  ),
  note: text(({ note }) => note),
}
