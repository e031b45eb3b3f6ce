import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'

const algorithm = 'aes-256-gcm'

/** Bytes of a key. */
export const keyLength = 32

const nonceLength = 12
const tagLength = 16

/** What stands before sealed text, so that another cipher can follow this one. */
const mark = '1.'

/** Seals a text with AES-256-GCM under a random nonce (NIST SP 800-38D); `label` is no part of it, but opens it. */
export function sealText(key: Uint8Array, label: string, text: string): string {
  return mark + sealBytes(key, label, Buffer.from(text)).toString('base64url')
}

/** Seals bytes likewise: the nonce, what is sealed, and the tag. */
export function sealBytes(key: Uint8Array, label: string, bytes: Uint8Array): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(label))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** Random bytes for many nonces, of which each is used once: to ask for each by itself costs as much as to seal. */
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

/** Opens a sealed text; throws where it was sealed with another key or under another label, or was changed since. */
export function openText(key: Uint8Array, label: string, sealed: string): string {
  if (!sealed.startsWith(mark)) throw new Error('Sealed with a cipher that is not known here.')
  return openBytes(key, label, Buffer.from(sealed.slice(mark.length), 'base64url')).toString('utf8')
}

/** Opens sealed bytes; throws likewise. */
export function openBytes(key: Uint8Array, label: string, bytes: Uint8Array): Buffer {
  const end = bytes.length - tagLength
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(end))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength, end)), decipher.final()])
}
