import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomFillSync } from 'node:crypto'

const algorithm = 'aes-256-gcm'

/** Bytes of a key. */
export const keyLength = 32

/** A key for ciphers and HMACs. Node 24 takes three times as long for a call with the bare bytes. */
export type SecretKey = KeyObject

/** The key of these bytes. */
export function secretKeyOf(bytes: Uint8Array): SecretKey {
  return createSecretKey(bytes)
}

const nonceLength = 12
const tagLength = 16
const cipherOptions = { authTagLength: tagLength }

/** Prefix of sealed text, so that another cipher can follow this one. */
const mark = '1.'

/**
 * Encrypts text with AES-256-GCM under a random nonce (NIST SP 800-38D). `label` is authenticated, but not part of the
 * result.
 */
export function sealText(key: SecretKey, label: string, text: string): string {
  return mark + sealBytes(key, label, text).toString('base64url')
}

/** Encrypts bytes, or a text as UTF-8: nonce, ciphertext and tag. */
export function sealBytes(key: SecretKey, label: string, content: Uint8Array | string): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv(algorithm, key, nonce, cipherOptions)
  cipher.setAAD(Buffer.from(label))
  const sealed = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
  // Galois/Counter Mode holds nothing back: this only makes the tag.
  cipher.final()
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
}

/** Random bytes for many nonces, each used once: requesting each separately costs as much as encrypting. */
const nonces = Buffer.alloc(1024 * nonceLength)
let used = nonces.length

function nextNonce(): Uint8Array {
  if (used === nonces.length) {
    randomFillSync(nonces)
    used = 0
  }
  used += nonceLength
  return nonces.subarray(used - nonceLength, used)
}

/** Decrypts text; throws if the key or the label differs, or the text was changed. */
export function openText(key: SecretKey, label: string, sealed: string): string {
  if (!sealed.startsWith(mark)) throw new Error('Sealed with a cipher that is not known here.')
  const text = sealed.slice(mark.length)
  const bytes = Buffer.from(text, 'base64url')
  // One text of the same bytes is as it was sealed; any other is another text, and must not count as the same.
  if (bytes.toString('base64url') !== text) throw new Error('Not as it was sealed.')
  return openBytes(key, label, bytes).toString('utf8')
}

/** Decrypts bytes; throws for the same reasons. */
export function openBytes(key: SecretKey, label: string, bytes: Uint8Array): Buffer {
  const end = bytes.length - tagLength
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(end))
  const text = decipher.update(bytes.subarray(nonceLength, end))
  // Galois/Counter Mode holds nothing back: this only checks the tag.
  decipher.final()
  return text
}
