import { deriveId, identifierKinds, isObject, type Members, pathTo, type Reading } from '../../engine/index.ts'
import { estimateOf, proofOf, withMore } from './beside.ts'
import { presentMembers } from './checkpoint-read.ts'
import { placeOfText } from './coded-place.ts'

/** Members of `custom_fields` that say whose the facts of the tracking are, so that they can be read back exactly. */
export interface OwnFields {
  /** Hash of the checkpoint whose event gave the first estimate of delivery. */
  readonly otep_first_estimate?: string | undefined
  /** That of the event which gave the latest one. */
  readonly otep_latest_estimate?: string | undefined
  /** That of the delivery whose proof the tracking shows. */
  readonly otep_proof?: string | undefined
  /** Which of its pictures is the signature. */
  readonly otep_signature?: string | undefined
}

/** The fields of a document of our own; nothing for any other one. */
export function ownFieldsOf({ custom_fields: fields }: Members): Members | undefined {
  return isObject(fields) && fields.otep_version !== undefined ? fields : undefined
}

/** Our own documents name every identifier by its kind. */
export function ownSubject(fields: Members): Members | undefined {
  return presentMembers(Object.fromEntries(identifierKinds.map((kind) => [kind, fields[kind]])))
}

/** A hash for an id that another provider's event has already: `acme:e-8`, where its checkpoint names `acme`. */
export function hashBeside(slug: string | undefined, provider: string | undefined, id: string): string {
  return slug === undefined ? deriveId(provider ?? '', id) : `${slug}:${id}`
}

/** The readings of our own document with what it says of them elsewhere: in whose name, estimates, proof. */
export function restored(
  path: string,
  readings: readonly Reading[],
  tracking: Members & { readonly checkpoints: readonly unknown[] },
  fields: Members,
): readonly Reading[] {
  const first = estimateOf(pathTo(path, 'first_estimated_delivery'), tracking.first_estimated_delivery)
  const last = estimateOf(pathTo(path, 'latest_estimated_delivery'), tracking.latest_estimated_delivery)
  const proof = proofOf(tracking, fields.otep_signature)
  const seen = new Set<unknown>()
  return readings.map((reading, index) => {
    const checkpoint = tracking.checkpoints[index]
    if (reading.event === undefined || !isObject(checkpoint)) return reading
    const { hash, slug } = checkpoint
    const event_id = idOf(hash, slug, seen)
    seen.add(hash)
    const isNamed = (name: unknown) => name !== undefined && name === hash
    const estimate = isNamed(fields.otep_latest_estimate)
      ? last
      : isNamed(fields.otep_first_estimate)
        ? first
        : undefined
    const own = named(reading, event_id, slug, fields)
    return withMore(own, estimate, isNamed(fields.otep_proof) ? proof : undefined)
  })
}

/** Our own documents say in whose name, of which profile and version; other ones speak for who sends them. */
function named(reading: Reading, event_id: unknown, slug: unknown, { otep_version, otep_profile }: Members): Reading {
  const event = reading.event as Members
  const source = { ...(event.source as Members), ...presentMembers({ provider: slug }) }
  const profile = reading.profile ?? (typeof otep_profile === 'string' ? otep_profile : undefined)
  const { name, ...elsewhere } = isObject(event.location) ? event.location : {}
  const place = isObject(event.location) && { location: { ...placeOfText(name), ...elsewhere } }
  const whole = { ...event, ...(event_id !== undefined && { event_id }), ...place, otep_version, source }
  return { ...reading, ...(profile !== undefined && { profile }), event: whole }
}

/** The id that a hash stands for: itself, or the one beside which it was made. */
function idOf(hash: unknown, slug: unknown, seen: ReadonlySet<unknown>): unknown {
  if (typeof hash !== 'string' || hash === '' || typeof slug !== 'string') return undefined
  const prefix = hashBeside(slug, slug, '')
  let id = hash
  while (id.startsWith(prefix) && seen.has(id.slice(prefix.length))) id = id.slice(prefix.length)
  return id
}
