import { randomBytes } from 'node:crypto'
import { EngineError, isEngineError, type Keys } from '../../engine/index.ts'
import { keyLength, openText, sealText } from '../node/cipher.ts'
import type { Secret } from '../node/secret.ts'

/** Maximum number of keys in memory. */
const maxHeld = 10_000

/** Proves that a secret belongs to a store. Stream names have a hyphen, so no subject has this name. */
const proof = { subject: 'secret', text: 'otep' }

/** The proof if there is no secret: keys are stored in plain text. */
const noSecret = 'none'

type Key = Uint8Array | undefined

/** The decrypted keys of subjects; throws `wrong_secret_key` if they were encrypted with another secret. */
export interface Keyring {
  /** The key of a subject; `undefined` if there is none. Changes nothing, not even in a new store. */
  find(subject: string): Promise<Key>
  /** The key of a subject without waiting; undefined if there is none, or none at hand. */
  findNow(subject: string): Key
  /** The key of a subject, created if it never had one; `undefined` if it was deleted. */
  make(subject: string): Promise<Key>
  /** Drops a key from memory. */
  drop(subject: string): void
}

/** Creates the keyring on the keys that all nodes share. Recent keys are cached, so most calls need no lookup. */
export function createKeyring(keys: Keys, secret: Secret | undefined): Keyring {
  const held = new Map<string, Promise<Key>>()
  let proven: Promise<Key> | undefined
  let own: { readonly key: Key } | undefined

  /** The secret, after checking that it belongs to the store. */
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

  function keyOf(subject: string, kept: () => Promise<string | undefined>): Promise<Key> {
    const known = held.get(subject)
    if (known !== undefined) return known
    const found = kept().then(async (text) =>
      text === undefined ? undefined : unwrapped(await proved(), subject, text),
    )
    hold(subject, found)
    return found
  }

  function findNow(subject: string): Key {
    // Its failure is told to whoever waits for a key.
    if (own === undefined) proved().catch(() => {})
    const text = own && keys.readNow?.(subject)
    return own && text !== undefined ? unwrapped(own.key, subject, text) : undefined
  }

  /** Only found keys stay cached; the oldest is dropped first. */
  function hold(subject: string, found: Promise<Key>) {
    held.set(subject, found)
    for (const oldest of held.keys()) {
      if (held.size <= maxHeld) break
      held.delete(oldest)
    }
    const release = () => held.get(subject) === found && held.delete(subject)
    found.then((key) => key === undefined && release(), release)
  }

  return {
    findNow,
    find: (subject) => keyOf(subject, () => keys.read(subject)),
    make: (subject) =>
      keyOf(subject, async () => keys.add(subject, wrapped(await proved(), subject, randomBytes(keyLength)))),
    drop: (subject) => void held.delete(subject),
  }
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
  const own = known === undefined ? secret?.make() : secret?.read()
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

function unwrapped(own: Key, subject: string, kept: string): Uint8Array {
  return Buffer.from(own === undefined ? kept : openText(own, subject, kept), 'base64url')
}
