import { createHmac, hkdfSync } from 'node:crypto'
import type { Sealer } from '../node/deliveries.ts'
import type { Secret } from '../node/secret.ts'
import { keyLength, openBytes, sealBytes } from './cipher.ts'

/**
 * Seals for a purpose with keys that are derived from the secret (HKDF, RFC 5869), which is read, and made where there is
 * none, when it is first needed.
 */
export function createSealer(secret: Secret, purpose: string): Sealer {
  let keys: { readonly seal: Uint8Array; readonly name: Uint8Array } | undefined

  function keysFor() {
    const derive = (use: string) =>
      new Uint8Array(hkdfSync('sha256', secret.make(), new Uint8Array(), `${purpose} ${use}`, keyLength))
    keys ??= { seal: derive('seal'), name: derive('name') }
    return keys
  }

  return {
    // Of nothing there is nothing to keep from anybody.
    seal: (bytes) => (bytes.length === 0 ? bytes : sealBytes(keysFor().seal, purpose, bytes)),
    open: (bytes) => (bytes.length === 0 ? bytes : openBytes(keysFor().seal, purpose, bytes)),
    name: (bytes) => createHmac('sha256', keysFor().name).update(bytes).digest(),
  }
}
