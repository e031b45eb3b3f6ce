import { type Finding, instantProblem, isObject, type Members, pathTo, type Reading } from '../../engine/index.ts'
import { carrierTime, presentMembers, presentValue } from './checkpoint-read.ts'

/** An estimate of delivery, and what had to be assumed. */
interface ReadEstimate {
  readonly time: string
  readonly warnings: readonly Finding[]
}

/** Only an estimate by the carrier belongs to an event; the other sources are predictions of AfterShip and the shop. */
export function estimateOf(path: string, estimate: unknown): ReadEstimate | undefined {
  if (!isObject(estimate) || estimate.source !== 'Carrier EDD') return undefined
  return estimateAt(pathTo(path, 'datetime'), estimate.datetime)
}

/** The latest estimate of the carrier, from either of its two members. */
export function latestEstimate(path: string, tracking: Members): ReadEstimate | undefined {
  const { latest_estimated_delivery: latest, courier_estimated_delivery_date: courier } = tracking
  const member = 'courier_estimated_delivery_date'
  return (
    estimateOf(pathTo(path, 'latest_estimated_delivery'), latest) ??
    (isObject(courier)
      ? estimateAt(pathTo(pathTo(path, member), 'estimated_delivery_date'), courier.estimated_delivery_date)
      : undefined)
  )
}

/** A date without a time is not an instant. A time without a zone is read like those of checkpoints. */
function estimateAt(path: string, value: unknown): ReadEstimate | undefined {
  const { time, assumed } = carrierTime(value)
  if (typeof time !== 'string' || instantProblem(time) !== undefined) return undefined
  return { time, warnings: assumed ? [{ path, code: 'zone_assumed' }] : [] }
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
export function withMore(reading: Reading, estimate: ReadEstimate | undefined, pod: Members | undefined): Reading {
  if (reading.event === undefined || (estimate === undefined && pod === undefined)) return reading
  return {
    ...reading,
    event: { ...reading.event, ...(estimate && { estimated_delivery_at: estimate.time }), ...(pod && { pod }) },
    warnings: [...(reading.warnings ?? []), ...(estimate?.warnings ?? [])],
  }
}
