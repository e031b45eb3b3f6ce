import {
  type Expected,
  instantProblem,
  isObject,
  type Members,
  pathTo,
  type ReadExpected,
  type Reading,
  readExpected,
} from '../../engine/index.ts'
import { carrierTime, presentMembers, presentValue } from './checkpoint-read.ts'
import { countryOfAlpha3 } from './countries.ts'

/** What is said of an event that has no estimate. */
export const noEstimate: ReadExpected = { warnings: [] }

/** Only an estimate by the carrier belongs to an event; the other sources are predictions of AfterShip and the shop. */
function carriersOwn(estimate: unknown): Members | undefined {
  if (!isObject(estimate)) return undefined
  const source = presentValue(estimate.source)
  return source === undefined || source === 'Carrier EDD' ? estimate : undefined
}

/** An estimate in a document of this server, whose times are as they were. */
export function ownEstimate(path: string, estimate: unknown): ReadExpected {
  const { datetime, datetime_min, datetime_max } = carriersOwn(estimate) ?? {}
  const { time: until, assumed } = carrierTime(datetime_max ?? datetime)
  const { time: from } = carrierTime(datetime_min)
  if (!isInstant(until)) return noEstimate
  const window = isInstant(from) && { estimated_delivery_from: from }
  const warnings = assumed ? [{ path: pathTo(path, 'datetime'), code: 'zone_assumed' } as const] : []
  return { expected: { estimated_delivery_at: until, ...window }, warnings }
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && instantProblem(value) === undefined
}

/** The latest estimate of the carrier, from either of its two members. */
export function latestEstimate(path: string, tracking: Members): ReadExpected {
  const { latest_estimated_delivery: latest, courier_estimated_delivery_date: courier } = tracking
  const country = destinationOf(tracking)
  const { datetime, datetime_min, datetime_max } = carriersOwn(latest) ?? {}
  const at = (member: string, value: unknown) => ({
    path: pathTo(pathTo(path, 'latest_estimated_delivery'), member),
    value,
  })
  const hasEnd = presentValue(datetime_max) !== undefined
  const until = hasEnd ? at('datetime_max', datetime_max) : at('datetime', datetime)
  const read = readExpected(until, country, hasEnd ? at('datetime_min', datetime_min) : undefined)
  if (read.expected !== undefined || !isObject(courier)) return read
  const member = pathTo(pathTo(path, 'courier_estimated_delivery_date'), 'estimated_delivery_date')
  const other = readExpected({ path: member, value: courier.estimated_delivery_date }, country)
  return { ...other, warnings: [...read.warnings, ...other.warnings] }
}

/** The country of the destination in two letters. Before 2026-01 its member had another name. */
function destinationOf({ destination_country_region: now, destination_country_iso3: before }: Members) {
  const country = presentValue(now) ?? before
  return typeof country === 'string' ? countryOfAlpha3(country)?.alpha2 : undefined
}

/** The most photos that an event may have. */
const maxPhotos = 20

/** The proof of delivery. The API does not say which image is a signature; documents of this server do. */
export function proofOf({ signed_by, proof_of_delivery: records }: Members, signature?: unknown): Members | undefined {
  const urls = Array.isArray(records)
    ? records.flatMap((record) => (isObject(record) ? [presentValue(record.url)] : []))
    : []
  const signed = signature === undefined ? -1 : urls.indexOf(signature)
  const photos = urls.filter((url, index) => url !== undefined && index !== signed).slice(0, maxPhotos)
  return presentMembers({
    recipient: signed_by,
    signature_url: signed === -1 ? undefined : signature,
    photo_urls: photos.length === 0 ? undefined : photos,
  })
}

/** A reading whose event may also have an estimate and a proof. */
export function withMore(reading: Reading, { expected, warnings }: ReadExpected, pod: Members | undefined): Reading {
  if (reading.event === undefined || (expected === undefined && warnings.length === 0 && pod === undefined))
    return reading
  const estimate: Partial<Expected> = expected ?? {}
  return {
    ...reading,
    event: { ...reading.event, ...estimate, ...(pod && { pod }) },
    warnings: [...(reading.warnings ?? []), ...warnings],
  }
}
