import { createHmac, type Hmac, hash } from 'node:crypto'
import { secretKeyOf } from '../../node/cipher.ts'

/** A signing key: the secret as UTF-8 text, or the bytes of a key. */
type Key = string | Uint8Array

/** What is signed besides the body: the id, and Unix seconds as in the header. */
interface Signed {
  readonly id: string
  readonly timestamp: string
}

/** `Signature` (document 3, "Tenant webhooks"): covers the body alone. */
export function tenantSignature(key: Key, body: Uint8Array): string {
  return hmacWith(key).update(body).digest('hex')
}

/** `X-Webhook-Signature` (the id is that of the attempt) and `X-Webhook-Signature-V2` (the id is that of the event). */
export function providerSignature(key: Key, { id, timestamp }: Signed, body: Uint8Array): string {
  return hmacWith(key).update(`${timestamp}\n${id}\n`).update(body).digest('base64')
}

/** `X-Ohp-Signature` (document 3, "Order handoff pushes"). */
export function handoffSignature(key: Key, timestamp: string, body: Uint8Array): string {
  return `v1=${hmacWith(key).update(`${timestamp}.`).update(body).digest('hex')}`
}

/** One entry of `webhook-signature` (Standard Webhooks 1.0). */
export function standardSignature(key: Key, { id, timestamp }: Signed, body: Uint8Array): string {
  return `v1,${hmacWith(key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** `X-Webhook-Content-Digest`, as RFC 9530 writes digests. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`
}

function hmacWith(key: Key): Hmac {
  return createHmac('sha256', typeof key === 'string' ? key : secretKeyOf(key))
}
