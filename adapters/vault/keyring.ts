import { randomBytes } from 'node:crypto'
import { EngineError, isEngineError, type Keys } from '../../engine/index.ts'
import type { Secret } from '../node/secret.ts'
import { keyLength, openText, sealText } from './cipher.ts'

/** Keys of so many subjects are held in memory. */
const maxHeld = 10_000

/** What tells whether a secret is that of a store. The names of streams have a hyphen, so no subject is called so. */
const proof = { subject: 'secret', text: 'otep' }

/** What is kept as the proof where there is no secret: the keys are kept as they are. */
const noSecret = 'none'

type Key = Uint8Array | undefined

/** The keys of subjects in clear; throws `wrong_secret_key` where they were sealed with another secret. */
export interface Keyring {
  /** The key of a subject; nothing where there is none. To look for one changes nothing, not even in a new store. */
  find(subject: string): Promise<Key>
  /** The key of a subject, made where it never had one; nothing where it was thrown away. */
  make(subject: string): Promise<Key>
  /** Lets go of what is held in memory. */
  drop(subject: string): void
}

/** The keyring on the keys that all nodes share; some are held in memory, so that most calls ask for none. */
export function createKeyring(keys: Keys, secret: Secret | undefined): Keyring {
  const held = new Map<string, Promise<Key>>()
  let proven: Promise<Key> | undefined

  /** The secret, once it is known to be that of the store. */
  function proved(): Promise<Key> {
    if (proven !== undefined) return proven
    const asked = proveSecret(keys, secret)
    // What failed is asked again: the store may have been out of reach.
    asked.catch(() => {
      proven = undefined
    })
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

  /** Only what was found stays, and the oldest goes first. */
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
    find: (subject) => keyOf(subject, () => keys.read(subject)),
    make: (subject) =>
      keyOf(subject, async () => keys.add(subject, wrapped(await proved(), subject, randomBytes(keyLength)))),
    drop: (subject) => void held.delete(subject),
  }
}

/** Throws `wrong_secret_key` where the secret is not that of the store. A store that cannot be asked now is asked later. */
export async function refuseWrongSecret(keys: Keys, secret: Secret | undefined): Promise<void> {
  await proveSecret(keys, secret).catch((error: unknown) => {
    if (!isEngineError(error, 'store_unavailable')) throw error
  })
}

/** The same for keys that stay as they are, as in a backup: those that no secret has sealed yet fit any. */
export async function refuseOtherSecret(keys: Keys, secret: Secret | undefined): Promise<void> {
  if ((await keys.read(proof.subject)) !== undefined) await refuseWrongSecret(keys, secret)
}

/** The secret, once it is known to be that of the store; a new store takes it on. */
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
