// A receiver of webhooks for Node 20 or later, without packages. Set WEBHOOK_SECRET to the signing secret and run
// `node receiver.mjs`; PORT is where it listens on 127.0.0.1 (default 4000). Put what ends TLS in front of it.
//
// A request is verified by the strongest signature that it carries. If you know which of them your URL gets, keep that
// function alone: then nobody can choose a weaker one for you.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** @typedef {import('node:http').IncomingHttpHeaders} Headers */
/** @typedef {{ headers: Headers, body: Buffer, secret: string, now: number }} Received `now` is in Unix seconds */

const tolerance = 300
const maxBody = 1024 * 1024
const dayInMilliseconds = 24 * 3_600_000

/** Standard Webhooks: the headers `webhook-*`. @param {Received} received */
export function isStandard({ headers, body, secret, now }) {
  const id = text(headers['webhook-id'])
  const timestamp = text(headers['webhook-timestamp'])
  const expected = `v1,${hmac(standardKey(secret), [`${id}.${timestamp}.`, body], 'base64')}`
  return (
    isFresh(timestamp, now) &&
    text(headers['webhook-signature'])
      .split(' ')
      .some((one) => isSame(one, expected))
  )
}

/** Provider lockers and third-party deliveries: `X-Webhook-Signature`. @param {Received} received */
export function isProvider({ headers, body, secret, now }) {
  const id = text(headers['x-webhook-delivery-id'])
  const timestamp = text(headers['x-webhook-timestamp'])
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const expected = hmac(secret, [`${timestamp}\n${id}\n`, body], 'base64')
  return (
    isFresh(timestamp, now) &&
    isSame(text(headers['x-webhook-content-digest']), digest) &&
    isSame(text(headers['x-webhook-signature']), expected)
  )
}

/** Life-cycle, driver and device order events: `X-Webhook-Signature-V2`. @param {Received} received */
export function isSecondVersion({ headers, body, secret, now }) {
  const id = text(headers['x-webhook-id'])
  const timestamp = text(headers['x-webhook-timestamp'])
  const expected = hmac(secret, [`${timestamp}\n${id}\n`, body], 'base64')
  return isFresh(timestamp, now) && isSame(text(headers['x-webhook-signature-v2']), expected)
}

/** Order handoffs: `X-Ohp-Signature`. @param {Received} received */
export function isHandoff({ headers, body, secret, now }) {
  const timestamp = text(headers['x-ohp-timestamp'])
  const expected = `v1=${hmac(secret, [`${timestamp}.`, body], 'hex')}`
  return isFresh(timestamp, now) && isSame(text(headers['x-ohp-signature']), expected)
}

/** Every tenant webhook: `Signature`. It covers the body alone, not the moment. @param {Received} received */
export function isTenant({ headers, body, secret }) {
  return isSame(text(headers.signature), hmac(secret, [body], 'hex'))
}

/** Whether a request comes from who knows the secret. @param {Received} received */
export function isGenuine(received) {
  const { headers } = received
  if (headers['webhook-signature'] !== undefined) return isStandard(received)
  if (headers['x-webhook-signature'] !== undefined) return isProvider(received)
  if (headers['x-webhook-signature-v2'] !== undefined) return isSecondVersion(received)
  if (headers['x-ohp-signature'] !== undefined) return isHandoff(received)
  return isTenant(received)
}

/**
 * The key of Standard Webhooks: what follows `whsec_`, else the secret itself.
 * @param {string} secret
 */
function standardKey(secret) {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
}

/** @param {string | Buffer} key @param {(string | Buffer)[]} parts @param {'hex' | 'base64'} encoding */
function hmac(key, parts, encoding) {
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(part)
  return digest.digest(encoding)
}

/** Takes the same time wherever they differ. @param {string} one @param {string} other */
function isSame(one, other) {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** @param {string} timestamp @param {number} now */
function isFresh(timestamp, now) {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= tolerance
}

/** @param {string | string[] | undefined} header */
function text(header) {
  return typeof header === 'string' ? header : ''
}

/** Ids and when they came, in milliseconds. Yours belong into a database, in one transaction with what you do. @type {Map<string, number>} */
const seen = new Map()

/** Whether an id has not come within a day. @param {string} id @param {number} at */
function isNew(id, at) {
  for (const [old, since] of seen) {
    if (at - since < dayInMilliseconds) break
    seen.delete(old)
  }
  if (seen.has(id)) return false
  seen.set(id, at)
  return true
}

/**
 * What happened, out of any of the three formats, and the id to know it again by. The id of the body comes first: every
 * signature covers it.
 * @param {Headers} headers @param {Buffer} body
 */
function read(headers, body) {
  const document = JSON.parse(body.toString())
  const isCloudEvent = text(headers['content-type']).startsWith('application/cloudevents+json')
  const notice = isCloudEvent ? document.data : document
  const header = headers['x-webhook-event-id'] ?? headers['x-ohp-delivery']
  return { notice, id: String(notice.event_id ?? notice.message_id ?? header) }
}

/** Yours: runs after the answer is sent. @param {{ event: string }} notice @param {string} id */
function handle(notice, id) {
  console.log(`processed ${id} ${JSON.stringify(notice.event)}`)
}

/**
 * Answers at once, so that the sender does not wait for what is to be done.
 * @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response
 * @param {string} secret
 */
async function answer(request, response, secret) {
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBody) throw new Error('The body is too large.')
    chunks.push(chunk)
  }
  const { headers } = request
  // The bytes as they came: JSON that is parsed and written again has another signature.
  const body = Buffer.concat(chunks)
  if (!isGenuine({ headers, body, secret, now: Math.floor(Date.now() / 1_000) })) {
    console.log('refused: no signature fits the secret')
    return response.writeHead(401).end()
  }
  const { notice, id } = read(headers, body)
  if (typeof notice.challenge === 'string') {
    response.setHeader('Content-Type', 'application/json')
    return response.end(JSON.stringify({ challenge: notice.challenge }))
  }
  if (isNew(id, Date.now())) setImmediate(handle, notice, id)
  return response.writeHead(204).end()
}

const secret = process.env.WEBHOOK_SECRET ?? ''
if (secret === '') {
  console.error('Set WEBHOOK_SECRET to the signing secret.')
  process.exit(2)
}
const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
  answer(request, response, secret).catch(() => response.destroy())
})
server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`listens on http://127.0.0.1:${address?.port}`)
})
