import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** Prefix of a public key as Standard Webhooks writes it. */
const prefix = 'whpk_'

/** What comes before the 32 bytes of a key (RFC 8410): of a private one (PKCS 8), and of a public one (SPKI). */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

/** What is signed besides the body. */
interface Signed {
  readonly id: string
  readonly timestamp: string
}

/** One entry of `webhook-signature` (Standard Webhooks 1.0, v1a), by the key of a seed of 32 bytes in hexadecimal. */
export function publicSignature(seed: string, signed: Signed, body: Uint8Array): string {
  return `v1a,${sign(null, messageOf(signed, body), privateKey(seed)).toString('base64')}`
}

/** The public key of a seed: `whpk_` and base64. */
export function publicKeyOf(seed: string): string {
  const key = createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' })
  return prefix + key.subarray(publicHead.length).toString('base64')
}

/** Whether a text is meant as a public key. */
export function isPublicKey(text: string): boolean {
  return text.startsWith(prefix)
}

/** Whether an entry of `webhook-signature` is by the owner of a public key. */
export function isSignedBy(publicKey: string, entry: string, signed: Signed, body: Uint8Array): boolean {
  const raw = Buffer.from(publicKey.slice(prefix.length), 'base64')
  if (raw.length !== 32 || !entry.startsWith('v1a,')) return false
  const key = createPublicKey({ key: Buffer.concat([publicHead, raw]), format: 'der', type: 'spki' })
  return verify(null, messageOf(signed, body), key, Buffer.from(entry.slice('v1a,'.length), 'base64'))
}

function privateKey(seed: string): KeyObject {
  const key = Buffer.concat([privateHead, Buffer.from(seed, 'hex')])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function messageOf({ id, timestamp }: Signed, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
}
