import { isObject } from '../../../engine/index.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Texts that most headers consist of, in the file as their places in this list: new ones go to its end, and none is ever
 * moved or removed.
 */
const common: readonly string[] = [
  ...['Content-Type', 'application/json', 'application/cloudevents+json', 'User-Agent', 'X-Webhook-Event-Id'],
  ...['X-Webhook-Timestamp', 'X-Webhook-Attempt', '1', 'X-Webhook-Sequence', 'X-Webhook-Test', 'X-Webhook-Id'],
  ...['Signature', 'X-Webhook-Signature', 'X-Webhook-Signature-V2', 'X-Webhook-Delivery-Id'],
  ...['X-Webhook-Content-Digest', 'X-Open-Delivery', 'X-Ohp-Signature', 'X-Ohp-Timestamp', 'X-Ohp-Delivery'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'GS1-Signature', 'GS1-EPCIS-Version', '2.0.0'],
  ...['ce-specversion', '1.0', 'ce-id', 'ce-source', 'ce-type', 'ce-time', 'ce-subject', 'ce-sequence'],
  ...['date', 'server', 'connection', 'keep-alive', 'close', 'timeout=5', 'content-type', 'content-length', '0', '2'],
  ...['application/json; charset=utf-8', 'text/plain', 'text/plain; charset=utf-8', 'text/html; charset=utf-8'],
  ...['transfer-encoding', 'chunked', 'vary', 'Accept-Encoding', 'cache-control', 'no-cache', 'no-store', 'etag'],
  ...['x-powered-by', 'x-request-id', 'strict-transport-security', 'x-content-type-options', 'nosniff', 'via'],
  ...['access-control-allow-origin', '*', 'nginx', 'cloudflare', 'cf-ray', 'set-cookie', '', 'alt-svc'],
]

const placeOf = new Map(common.map((text, place) => [text, place]))

/**
 * Names and values in turn, where a common one is its place in that list, and one that came before is the negative count of
 * such texts up to it.
 */
export type PackedHeaders = readonly (string | number)[]

/** Headers in few bytes of JSON. */
export function packHeaders(headers: Headers): PackedHeaders {
  const before = new Map<string, number>()
  const pack = (text: string) => {
    const place = placeOf.get(text) ?? before.get(text)
    if (place === undefined) before.set(text, -1 - before.size)
    return place ?? text
  }
  const packed: (string | number)[] = []
  for (const name of Object.keys(headers)) packed.push(pack(name), pack(headers[name] ?? ''))
  return packed
}

/** The headers of a JSON text: packed, or an object, as earlier versions wrote them. */
export function unpackHeaders(text: string): Headers {
  const found: unknown = JSON.parse(text)
  if (!Array.isArray(found))
    return Object.fromEntries(
      Object.entries(isObject(found) ? found : {}).map(([name, value]) => [name, String(value)]),
    )
  const before = found.filter((one) => typeof one === 'string')
  const texts = found.map((one) => String(typeof one !== 'number' ? one : one < 0 ? before[-1 - one] : common[one]))
  return Object.fromEntries(texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : [])))
}
