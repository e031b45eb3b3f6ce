import { deriveId, identifierKinds, isObject, type Members, pathTo, type Reading } from '../../engine/index.ts'
import { noEstimate, ownEstimate, proofOf, withMore } from './beside.ts'
import { presentMembers } from './checkpoint-read.ts'
import { placeOfText } from './coded-place.ts'

/**
 * Members of `custom_fields` that say which event each summarised value belongs to, so that documents of this server
 * can be read back exactly.
 */
export interface OwnFields {
  /** Hash of the checkpoint whose event contained the first estimate of delivery. */
  readonly otep_first_estimate?: string | undefined
  /** Hash of the checkpoint whose event contained the latest estimate. */
  readonly otep_latest_estimate?: string | undefined
  /** Hash of the delivery checkpoint to which the proof belongs. */
  readonly otep_proof?: string | undefined
  /** Which of its images is the signature. */
  readonly otep_signature?: string | undefined
}

/** The custom fields of a document of this server; undefined for any other document. */
export function ownFieldsOf({ custom_fields: fields }: Members): Members | undefined {
  return isObject(fields) && fields.otep_version !== undefined ? fields : undefined
}

/** Documents of this server name every identifier by its kind. */
export function ownSubject(fields: Members): Members | undefined {
  return presentMembers(Object.fromEntries(identifierKinds.map((kind) => [kind, fields[kind]])))
}

/** A hash for an event id that another provider also uses: `acme:e-8` for a checkpoint of `acme`. */
export function hashBeside(slug: string | undefined, provider: string | undefined, id: string): string {
  return slug === undefined ? deriveId(provider ?? '', id) : `${slug}:${id}`
}

/** The readings of a document of this server, with provider, estimates and proof from its other members. */
export function restored(
  path: string,
  readings: readonly Reading[],
  tracking: Members & { readonly checkpoints: readonly unknown[] },
  fields: Members,
): readonly Reading[] {
  const first = ownEstimate(pathTo(path, 'first_estimated_delivery'), tracking.first_estimated_delivery)
  const last = ownEstimate(pathTo(path, 'latest_estimated_delivery'), tracking.latest_estimated_delivery)
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
        : noEstimate
    const own = named(reading, event_id, slug, fields)
    return withMore(own, estimate, isNamed(fields.otep_proof) ? proof : undefined)
  })
}

/** Documents of this server name their provider, profile and version; others speak for the provider who sends them. */
function named(reading: Reading, event_id: unknown, slug: unknown, { otep_version, otep_profile }: Members): Reading {
  const event = reading.event as Members
  const source = { ...(event.source as Members), ...presentMembers({ provider: slug }) }
  const profile = reading.profile ?? (typeof otep_profile === 'string' ? otep_profile : undefined)
  const { name, ...elsewhere } = isObject(event.location) ? event.location : {}
  const place = isObject(event.location) && { location: { ...placeOfText(name), ...elsewhere } }
  const whole = { ...event, ...(event_id !== undefined && { event_id }), ...place, otep_version, source }
  return { ...reading, ...(profile !== undefined && { profile }), event: whole }
}

/** The event id of a hash: the hash itself, unless `hashOf` added a provider. */
function idOf(hash: unknown, slug: unknown, seen: ReadonlySet<unknown>): unknown {
  if (typeof hash !== 'string' || hash === '' || typeof slug !== 'string') return undefined
  const prefix = hashBeside(slug, slug, '')
  let id = hash
  while (id.startsWith(prefix) && seen.has(id.slice(prefix.length))) id = id.slice(prefix.length)
  return id
}
