import { timingSafeEqual } from 'node:crypto'
import { signingKey } from '../../../engine/index.ts'
import { isPublicKey, isSignedBy } from './ed25519.ts'
import { contentDigest, handoffSignature, providerSignature, standardSignature, tenantSignature } from './recipes.ts'

/** A received request; header names are in lower case. */
export interface Received {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Unchanged bytes. */
  readonly body: Uint8Array
}

/** What is wrong with a signed request: a header is missing, or the time, the digest or the signature is wrong. */
export type Flaw = 'incomplete' | 'stale' | 'wrong_digest' | 'wrong_signature'

/** The result of verifying one signature. */
export interface Check {
  /** The header that holds the signature. */
  readonly header: string
  /** Absent if the signature is valid. */
  readonly flaw?: Flaw
  /** The headers that are signed with it, or checked beside it, and are not there; if it is incomplete. */
  readonly missing?: readonly string[]
}

/** How a signature is computed, and from which headers. */
interface Recipe {
  readonly header: string
  readonly id?: string
  readonly timestamp?: string
  readonly digest?: string
  /** Whether the header may hold several signatures, of which one must be valid. */
  readonly isList?: true
  expected(secret: string, signed: { readonly id: string; readonly timestamp: string }, body: Uint8Array): string
}

/** Seconds that a signed timestamp may differ, in both directions (document 3, "Formats and Standard Webhooks"). */
const tolerance = 300

/** The headers of Standard Webhooks. */
const standard = { header: 'webhook-signature', id: 'webhook-id', timestamp: 'webhook-timestamp' } as const

/** Strongest first. The last two recipes cover the body only, so a recorded request can be replayed. */
const recipes: readonly Recipe[] = [
  {
    ...standard,
    isList: true,
    expected: (secret, signed, body) => standardSignature(signingKey(secret), signed, body),
  },
  {
    header: 'x-webhook-signature',
    id: 'x-webhook-delivery-id',
    timestamp: 'x-webhook-timestamp',
    digest: 'x-webhook-content-digest',
    expected: providerSignature,
  },
  {
    header: 'x-webhook-signature-v2',
    id: 'x-webhook-id',
    timestamp: 'x-webhook-timestamp',
    expected: providerSignature,
  },
  {
    header: 'x-ohp-signature',
    timestamp: 'x-ohp-timestamp',
    expected: (secret, { timestamp }, body) => handoffSignature(secret, timestamp, body),
  },
  { header: 'gs1-signature', expected: (secret, _, body) => tenantSignature(secret, body) },
  { header: 'signature', expected: (secret, _, body) => tenantSignature(secret, body) },
]

/**
 * Verifies every signature of a request in constant time, strongest first; the first one decides. Empty if the request
 * is not signed. With a public key (`whpk_`) as the secret, only its own signature counts. `now` is in epoch
 * milliseconds.
 */
export function checksOf(received: Received, secret: string, now: number): readonly Check[] {
  if (isPublicKey(secret)) return publicChecks(received, secret, now)
  return recipes
    .filter(({ header }) => received.headers[header] !== undefined)
    .map((recipe) => {
      const { header } = recipe
      const flaw = flawIn(recipe, received, secret, now)
      if (flaw === 'incomplete') return { header, flaw, missing: missingOf(recipe, received) }
      return flaw === undefined ? { header } : { header, flaw }
    })
}

function publicChecks({ headers, body }: Received, publicKey: string, now: number): readonly Check[] {
  const { header } = standard
  const given = headers[header]
  if (given === undefined) return []
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (id === undefined || timestamp === undefined)
    return [{ header, flaw: 'incomplete', missing: missingOf(standard, { headers }) }]
  if (!given.split(' ').some((entry) => isSignedBy(publicKey, entry, { id, timestamp }, body)))
    return [{ header, flaw: 'wrong_signature' }]
  return isFresh(timestamp, now) ? [{ header }] : [{ header, flaw: 'stale' }]
}

function missingOf(
  { id, timestamp, digest }: Pick<Recipe, 'id' | 'timestamp' | 'digest'>,
  { headers }: Pick<Received, 'headers'>,
): readonly string[] {
  return [id, timestamp, digest].flatMap((name) => (name === undefined || headers[name] !== undefined ? [] : [name]))
}

function flawIn(recipe: Recipe, { headers, body }: Received, secret: string, now: number): Flaw | undefined {
  const [id, timestamp, digest] = [recipe.id, recipe.timestamp, recipe.digest].map((name) =>
    name === undefined ? '' : headers[name],
  )
  if (id === undefined || timestamp === undefined || digest === undefined) return 'incomplete'
  const given = headers[recipe.header] ?? ''
  const expected = recipe.expected(secret, { id, timestamp }, body)
  if (!(recipe.isList ? given.split(' ') : [given]).some((one) => isSame(one, expected))) return 'wrong_signature'
  if (recipe.digest !== undefined && !isSame(digest, contentDigest(body))) return 'wrong_digest'
  return recipe.timestamp !== undefined && !isFresh(timestamp, now) ? 'stale' : undefined
}

function isFresh(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now / 1_000) - Number(timestamp)) <= tolerance
}

/** The lengths are not secret. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
