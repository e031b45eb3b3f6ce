import { randomBytes } from 'node:crypto'
import { type DraftSeal, EngineError, isEngineError, type Keys } from '../../engine/index.ts'
import { keyLength, openText, type SecretKey, sealText, secretKeyOf } from '../node/cipher.ts'
import type { Secret } from '../node/secret.ts'
import { unlessFailing } from '../node/unless-failing.ts'

/** Maximum number of keys in memory. */
const maxHeld = 10_000

/** Proves that a secret belongs to a store. Stream names have a hyphen, so no subject has this name. */
const proof = { subject: 'secret', text: 'otep' }

/** The proof if there is no secret: keys are stored in plain text. */
const noSecret = 'none'

type Key = SecretKey | undefined

/** A key; with the form in which it is to be stored, if it is new. */
interface DraftKey extends Pick<DraftSeal, 'stored'> {
  readonly key: SecretKey
  readonly text?: string
}

/** A key in memory, or on its way. */
interface HeldKey {
  readonly found: Promise<Key>
  key?: Key
}

/** The decrypted keys of subjects; throws `wrong_secret_key` if they were encrypted with another secret. */
export interface Keyring {
  /** The key of a subject; `undefined` if there is none. Changes nothing, not even in a new store. */
  find(subject: string): Promise<Key>
  /** The keys of subjects without waiting, in order; undefined where there is none, or none at hand. */
  findNow(subjects: readonly string[]): readonly Key[]
  /** The key of a subject, created if it never had one; `undefined` if it was deleted. */
  make(subject: string): Promise<Key>
  /** The key of a subject that is in memory. */
  held(subject: string): Key
  /**
   * The key of a subject, or a new one that is not stored: then `stored` is to be called. A subject that `isNew` is only
   * looked up where that takes no call.
   */
  draft(subject: string, isNew: boolean): Promise<DraftKey>
  /** Drops a key from memory. */
  drop(subject: string): void
}

/** Creates the keyring on the keys that all nodes share. Recent keys are cached, so most calls need no lookup. */
export function createKeyring(keys: Keys, secret: Secret | undefined): Keyring {
  const held = createHeldKeys()
  const owner = createOwner(keys, secret)

  function keyOf(subject: string, kept: () => Promise<string | undefined>): Promise<Key> {
    const known = held.of(subject)
    if (known !== undefined) return known.found
    const found = kept().then(async (text) =>
      text === undefined ? undefined : unwrapped(await owner.proved(), subject, text),
    )
    held.hold(subject, found)
    return found
  }

  const find = (subject: string) => keyOf(subject, () => keys.read(subject))

  function findNow(subjects: readonly string[]): readonly Key[] {
    const own = owner.now()
    if (own === undefined) return []
    const texts = subjects.map((subject) => unlessFailing(() => keys.readNow?.(subject)))
    return texts.map((text, at) =>
      text === undefined ? undefined : unlessFailing(() => unwrapped(own.key, subjects[at] ?? '', text)),
    )
  }

  async function draft(subject: string, isNew: boolean): Promise<DraftKey> {
    const keepIfNotDropped = held.keeping(subject)
    const known = isNew && keys.readNow === undefined ? undefined : await find(subject)
    if (known !== undefined) return { key: known }
    const bytes = randomBytes(keyLength)
    const key = secretKeyOf(bytes)
    return { key, stored: () => keepIfNotDropped(key), text: wrapped(await owner.proved(), subject, bytes) }
  }

  return {
    findNow,
    find,
    make: (subject) =>
      keyOf(subject, async () => keys.add(subject, wrapped(await owner.proved(), subject, randomBytes(keyLength)))),
    held: (subject) => held.of(subject)?.key,
    draft,
    drop: held.drop,
  }
}

/** The secret, after a check that it belongs to the store. */
function createOwner(keys: Keys, secret: Secret | undefined) {
  let proven: Promise<Key> | undefined
  let own: { readonly key: Key } | undefined

  function proved(): Promise<Key> {
    if (proven !== undefined) return proven
    const asked = proveSecret(keys, secret)
    asked.then(
      (key) => {
        own = { key }
      },
      () => {
        // Try again next time: the store may have been unreachable.
        proven = undefined
      },
    )
    proven = asked
    return asked
  }

  function now() {
    // Everybody who waits for a key gets its failure.
    if (own === undefined) proved().catch(() => {})
    return own
  }

  return { proved, now }
}

/** The keys in memory, or on their way. The oldest is dropped first. */
function createHeldKeys() {
  const held = new Map<string, HeldKey>()
  let drops = 0

  function keep(subject: string, entry: HeldKey) {
    held.set(subject, entry)
    if (held.size <= maxHeld) return
    for (const oldest of held.keys()) {
      if (held.size <= maxHeld) break
      held.delete(oldest)
    }
  }

  /** Only found keys stay. */
  function hold(subject: string, found: Promise<Key>) {
    const entry: HeldKey = { found }
    keep(subject, entry)
    const release = () => held.get(subject) === entry && held.delete(subject)
    found.then((key) => {
      entry.key = key
      if (key === undefined) release()
    }, release)
  }

  /** Keeps a key later, unless one was dropped in the meantime: a destroyed key must not be kept. */
  function keeping(subject: string): (key: SecretKey) => void {
    const dropsBefore = drops
    return (key) => {
      if (drops === dropsBefore) keep(subject, { found: Promise.resolve(key), key })
    }
  }

  function drop(subject: string) {
    drops++
    held.delete(subject)
  }

  return { of: (subject: string) => held.get(subject), hold, keeping, drop }
}

/** Throws `wrong_secret_key` if the secret does not belong to the store. An unreachable store is checked later. */
export async function refuseWrongSecret(keys: Keys, secret: Secret | undefined): Promise<void> {
  await proveSecret(keys, secret).catch((error: unknown) => {
    if (!isEngineError(error, 'store_unavailable')) throw error
  })
}

/** The same check without changing the keys, as for a backup: keys without a proof fit any secret. */
export async function refuseOtherSecret(keys: Keys, secret: Secret | undefined): Promise<void> {
  if ((await keys.read(proof.subject)) !== undefined) await refuseWrongSecret(keys, secret)
}

/** The secret, after checking that it belongs to the store; a new store adopts it. */
async function proveSecret(keys: Keys, secret: Secret | undefined): Promise<Key> {
  const known = await keys.read(proof.subject)
  const bytes = known === undefined ? secret?.make() : secret?.read()
  const own = bytes && secretKeyOf(bytes)
  const standing = known ?? (await keys.add(proof.subject, proofWith(own))) ?? ''
  if (!isProof(standing, own)) throw new EngineError('wrong_secret_key')
  return own
}

function proofWith(own: Key): string {
  return own === undefined ? noSecret : sealText(own, proof.subject, proof.text)
}

function isProof(standing: string, own: Key): boolean {
  if (own === undefined || standing === noSecret) return own === undefined && standing === noSecret
  try {
    return openText(own, proof.subject, standing) === proof.text
  } catch {
    return false
  }
}

function wrapped(own: Key, subject: string, key: Buffer): string {
  const text = key.toString('base64url')
  return own === undefined ? text : sealText(own, subject, text)
}

function unwrapped(own: Key, subject: string, kept: string): SecretKey {
  return secretKeyOf(Buffer.from(own === undefined ? kept : openText(own, subject, kept), 'base64url'))
}
