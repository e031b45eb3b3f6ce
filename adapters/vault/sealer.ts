import { createHmac, hkdfSync } from 'node:crypto'
import { keyLength, openBytes, type SecretKey, sealBytes, secretKeyOf } from '../node/cipher.ts'
import type { Sealer } from '../node/deliveries.ts'
import type { Secret } from '../node/secret.ts'

/**
 * Creates a sealer for a purpose, with keys derived from the secret (HKDF, RFC 5869). The secret is read, or created if
 * absent, on first use.
 */
export function createSealer(secret: Secret, purpose: string): Sealer {
  let keys: { readonly seal: SecretKey; readonly name: SecretKey } | undefined

  function keysFor() {
    const derive = (use: string) =>
      secretKeyOf(new Uint8Array(hkdfSync('sha256', secret.make(), new Uint8Array(), `${purpose} ${use}`, keyLength)))
    keys ??= { seal: derive('seal'), name: derive('name') }
    return keys
  }

  return {
    // Empty input needs no encryption.
    seal: (bytes) => (bytes.length === 0 ? bytes : sealBytes(keysFor().seal, purpose, bytes)),
    open: (bytes) => (bytes.length === 0 ? bytes : openBytes(keysFor().seal, purpose, bytes)),
    name: (bytes) => createHmac('sha256', keysFor().name).update(bytes).digest(),
  }
}
