import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { CloudEvent, HTTP } from 'cloudevents'
import fc from 'fast-check'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import t, { type Test } from 'tap'
import { projectFile } from '../../../conformance/program/files.ts'
import {
  type BodyFormat,
  bodyFormats,
  type Channel,
  channels,
  isReservedHeader,
  keyOverlap,
  type SigningKey,
  shownSecret,
} from '../../../engine/index.ts'
import type { DueDelivery, Outgoing } from '../../node/deliveries.ts'
import { createSender } from '../reach/index.ts'
import { contentTypeOf, structuredBody } from './cloud-event.ts'
import { publicKeyOf } from './ed25519.ts'
import { contentDigest, handoffSignature, providerSignature, standardSignature, tenantSignature } from './recipes.ts'
import { redactedHeaders } from './redact.ts'
import { requestOf } from './request.ts'
import { checksOf, type Received } from './verify.ts'

/** The test vectors, for which Node and Python give the same results. */
const vector = {
  body: Buffer.from('{"event":"order.status_change","order_id":42,"note":"Zoë 包裹"}'),
  timestamp: '1767225600',
  plain: 'correct horse battery staple',
  coded: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
}

/** The kinds of secrets that people use. */
const secrets: Readonly<Record<string, string>> = {
  'sixteen ASCII characters': 'abcdefgh12345678',
  'a sentence with symbols': 'correct horse, battery & "staple"!',
  'not ASCII': 'geheimnis-Zoë-包裹-🔑-genug',
  'of Standard Webhooks': vector.coded,
  'like base64, without a prefix': 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  'of 200 characters': 'k7'.repeat(100),
}

const publicUrl = 'https://track.example.com'
const seedOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const standing = { publicUrl, version: '1.2.3', seedOf }

function delivery(given: Partial<DueDelivery> = {}): DueDelivery {
  return {
    id: 'dlv_9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    ...{ event: 'order.status_change', eventId: 'evt_01KATEST', subject: 'order/42' },
    ...{ occurredAt: '2026-01-01T00:00:00.000Z', businessId: 7, isTest: false, isSandbox: false },
    ...{ owner: 'business.7', endpointId: 'end_1', channel: 'tenant', url: 'https://shop.example/hook' },
    ...{ format: 'native', standard: false, isInOrder: false, body: vector.body, attempts: 0, attemptNumber: 1 },
    ...given,
  }
}

const vectorNow = Number(vector.timestamp) * 1_000

/** A request as our sender builds it. */
function sent(
  given: Partial<DueDelivery>,
  { keys = [{ secret: vector.plain }], now = vectorNow }: Signed = {},
): Outgoing {
  return requestOf({ ...standing, delivery: delivery(given), keys, now })
}

interface Signed {
  readonly keys?: readonly SigningKey[]
  readonly now?: number
}

/** A request as it is received. */
function received({ headers, body }: Pick<Outgoing, 'headers' | 'body'>): Received {
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body,
  }
}

const channelOf = fc.constantFrom<Channel>(...channels)
const formatOf = fc.constantFrom<BodyFormat>(...bodyFormats)
const secretOf = fc.constantFrom(...Object.values(secrets))

t.test('1: given the vectors, when they are signed, then every value is the one that Python found', async (t) => {
  const { plain, coded, body, timestamp } = vector
  const id = 'evt_01KATEST'
  t.equal(shownSecret(plain), 'whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ==')
  t.equal(tenantSignature(plain, body), '15b63d4b7cd1789e8564ee8f4c17ea8e7b139dfdddb14e755e189eab6a98d97c')
  t.equal(tenantSignature(coded, body), '81b30c1b364bc3d569434a6c6f61ddb3b2c224604f06b806631eb01e929e3d1d')
  const provider = providerSignature(plain, { id: 'dlv_01KATEST', timestamp }, body)
  t.equal(provider, 'Ei9XE4nG8/YFWty+Bk+nUhWnZ6P+lQvcQortgFnpVq0=')
  const handoff = 'v1=6112abb7a1d403ae12c166a1a332ec9596d33537eed2e19e7ed9ab92943c5f64'
  t.equal(handoffSignature(plain, timestamp, body), handoff)
  t.equal(standardSignature(plain, { id, timestamp }, body), 'v1,qCy9liE22i8cCYjXhB9yp1TQZpUdyDzFknAcmRpsMwQ=')
  t.equal(contentDigest(body), 'sha-256=:vU2cGVBTabhixKpFmiHFtA3BaUrcJX57MEQ4jynFiAg=:')
  const standard = (secret: string) => sent({ standard: true }, { keys: [{ secret }] }).headers['webhook-signature']
  t.equal(standard(plain), 'v1,qCy9liE22i8cCYjXhB9yp1TQZpUdyDzFknAcmRpsMwQ=')
  t.equal(standard(coded), 'v1,p6yy8MW4+1kQMnVMpjhsuwPsKW/aKJck8W3/lvteTMs=')
  t.equal(sent({ channel: 'order_handoff' }).headers['X-Ohp-Signature'], handoff)
})

t.test('given every kind of request, then nobody but us sets one of its headers', async (t) => {
  for (const channel of channels)
    for (const format of bodyFormats)
      for (const isTest of [true, false]) {
        const { headers } = sent({ channel, format, isTest, standard: true, sequence: '1/2' })
        t.same(
          Object.keys(headers).filter((name) => !isReservedHeader(name)),
          [],
        )
      }
})

t.test('2: given any kind of secret, then the official receivers verify by its shown form alone', async (t) => {
  for (const [kind, secret] of Object.entries(secrets)) {
    for (const channel of channels) {
      const { headers, body } = sent({ channel, standard: true }, { keys: [{ secret }], now: Date.now() })
      for (const [judge, Webhook] of Object.entries({ Standard, Svix })) {
        const verify = (text: string, shown = shownSecret(secret)) => new Webhook(shown).verify(text, { ...headers })
        t.match(verify(body.toString()), { order_id: 42 }, `${judge}: ${kind}, ${channel}`)
        t.throws(() => verify(`${body} `), `${judge}: a body with one byte more`)
        t.throws(() => verify(body.toString(), shownSecret('another secret, long enough')), `${judge}: another secret`)
      }
    }
  }
})

t.test('3 and 4: given secrets at the bounds, when they sign, then receivers verify by the shown form', async (t) => {
  const unpadded = 'whsec_AAECAwQFBgcICQoLDA0ODw'
  for (const secret of ['é'.repeat(16), '🔑'.repeat(256), unpadded]) {
    const { headers, body } = sent({ standard: true }, { keys: [{ secret }], now: Date.now() })
    t.match(new Standard(shownSecret(secret)).verify(body.toString(), { ...headers }), { order_id: 42 })
    t.equal(headers.Signature, tenantSignature(secret, body), 'the native key is the secret as it stands')
  }
})

t.test(
  '5: given two attempts of a delivery, then body and ids stay, and timestamps and signatures do not',
  async (t) => {
    const at = Date.now() - 60_000
    for (const channel of channels) {
      const attempt = (attemptNumber: number, now: number) => sent({ channel, attemptNumber, standard: true }, { now })
      const [first, second] = [attempt(1, at), attempt(2, at + 10_000)]
      t.equal(first.body, second.body)
      for (const name of ['webhook-id', 'X-Webhook-Event-Id', 'X-Webhook-Id', 'X-Ohp-Delivery', 'Signature'])
        t.equal(first.headers[name], second.headers[name], `${channel}: ${name}`)
      const changing = ['webhook-timestamp', 'webhook-signature', 'X-Webhook-Attempt']
      const own = ['X-Webhook-Timestamp', 'X-Webhook-Signature', 'X-Webhook-Delivery-Id', 'X-Webhook-Signature-V2']
      for (const name of [
        ...changing,
        ...[...own, 'X-Ohp-Signature', 'X-Ohp-Timestamp'].filter((one) => one in first.headers),
      ])
        t.not(first.headers[name], second.headers[name], `${channel}: ${name}`)
      for (const request of [first, second]) {
        t.ok(new Standard(shownSecret(vector.plain)).verify(request.body.toString(), { ...request.headers }))
        t.notMatch(checksOf(received(request), vector.plain, at + 10_000), [{ flaw: /./ }])
      }
    }
  },
)

t.test(
  '6: given any body, when it is signed, then its bytes go out as they are, and all signatures fit them',
  async (t) => {
    t.equal(sent({ body: Buffer.from('{"a": 1}') }).body.toString(), '{"a": 1}')
    const body = fc.uint8Array({ maxLength: 500 })
    fc.assert(
      fc.property(channelOf, formatOf, secretOf, fc.boolean(), body, (channel, format, secret, standard, bytes) => {
        const request = sent({ channel, format, standard, body: bytes }, { keys: [{ secret }] })
        const checks = checksOf(received(request), secret, vectorNow)
        return request.body === bytes && checks.length > 0 && checks.every(({ flaw }) => flaw === undefined)
      }),
    )
  },
)

t.test('given a request that was changed on its way, then no signature of it is good', async (t) => {
  const place = fc.tuple(fc.nat(vector.body.length - 1), fc.integer({ min: 1, max: 255 }))
  fc.assert(
    fc.property(channelOf, fc.boolean(), place, (channel, standard, [at, mask]) => {
      const { headers, body } = sent({ channel, standard })
      const changed = Buffer.from(body)
      changed[at] = (changed[at] ?? 0) ^ mask
      const checks = checksOf(received({ headers, body: changed }), vector.plain, vectorNow)
      return checks.length > 0 && checks.every(({ flaw }) => flaw === 'wrong_signature')
    }),
  )
  for (const channel of channels) {
    const good = received(sent({ channel, standard: true }))
    const flaws = (headers: Received['headers'], secret = vector.plain) =>
      checksOf({ ...good, headers: { ...good.headers, ...headers } }, secret, vectorNow).map(({ flaw }) => flaw)
    t.same(new Set(flaws({}, 'another secret, long enough')), new Set(['wrong_signature']), channel)
    t.equal(flaws({ 'webhook-id': 'evt_other' })[0], 'wrong_signature')
    t.equal(flaws({ 'webhook-id': undefined })[0], 'incomplete')
    t.equal(flaws({ 'webhook-timestamp': '1767225601' })[0], 'wrong_signature')
    t.equal(flaws({ 'webhook-signature': '' })[0], 'wrong_signature')
    t.equal(flaws({ 'webhook-signature': `v1a,AAAA  ${good.headers['webhook-signature']}` })[0], undefined)
  }
  const provider = received(sent({ channel: 'provider_locker' }))
  const digest = { ...provider.headers, 'x-webhook-content-digest': 'sha-256=:AAAA:' }
  t.match(checksOf({ ...provider, headers: digest }, vector.plain, vectorNow), [{ flaw: 'wrong_digest' }])
  t.same(checksOf({ headers: {}, body: vector.body }, vector.plain, vectorNow), [])
})

t.test('given a signed timestamp, when it is five minutes off, then it is stale, and not before', async (t) => {
  for (const channel of channels) {
    const flaws = (seconds: number, standard: boolean) =>
      checksOf(received(sent({ channel, standard })), vector.plain, vectorNow + seconds * 1_000).map(({ flaw }) => flaw)
    for (const seconds of [-300, -299, 0, 299, 300]) t.notMatch(flaws(seconds, true), [/./], `${seconds}`)
    for (const seconds of [-301, 301, 86_400]) {
      t.equal(flaws(seconds, true)[0], 'stale')
      t.equal(flaws(seconds, false)[0], channel === 'tenant' ? undefined : 'stale', `${channel}, native`)
    }
  }
  t.equal(checksOf(received(sent({ standard: true })), vector.plain, Number.NaN)[0]?.flaw, 'stale')
})

t.test(
  '7: given keys that were replaced, then each signs Standard Webhooks until it expires, natives the newest',
  async (t) => {
    const at = Date.now()
    const key = (name: string) => `a secret of some length: ${name}`
    const keys = [
      { secret: key('four') },
      { secret: key('three'), expiresAt: at + keyOverlap },
      { secret: key('two'), expiresAt: at + keyOverlap - 600_000 },
      { secret: key('one'), expiresAt: at + keyOverlap - 1_200_000 },
    ]
    const signedBy = (now: number) => {
      const { headers, body } = sent({ standard: true, channel: 'tenant' }, { keys, now })
      const entries = headers['webhook-signature']?.split(' ') ?? []
      t.equal(headers.Signature, tenantSignature(key('four'), body))
      return entries.map((entry) => {
        const signed = { id: 'evt_01KATEST', timestamp: String(Math.floor(now / 1_000)) }
        return keys.find(({ secret }) => standardSignature(secret, signed, body) === entry)?.secret
      })
    }
    t.same(signedBy(at), ['four', 'three', 'two', 'one'].map(key))
    t.same(signedBy(at + keyOverlap - 900_000), ['four', 'three', 'two'].map(key))
    t.same(signedBy(at + keyOverlap - 1), ['four', 'three'].map(key))
    t.same(signedBy(at + keyOverlap), ['four'].map(key), 'a retry is signed by the keys of its own moment')
    const { headers, body } = sent({ standard: true }, { keys, now: at })
    for (const { secret } of keys) t.ok(new Standard(shownSecret(secret)).verify(body.toString(), { ...headers }))
    t.match(checksOf(received({ headers, body }), key('one'), at), [{ header: 'webhook-signature', flaw: undefined }])
  },
)

t.test(
  'given a place among the events of its subject, then every format tells it, the same at every attempt',
  async (t) => {
    const sequence = '0000000000000042'
    for (const attemptNumber of [1, 2]) {
      const plain = noticed('order.assigned', 'native', { sequence, attemptNumber })
      t.equal(plain.headers['X-Webhook-Sequence'], sequence)
      t.equal(noticed('order.assigned', 'ce_binary', { sequence, attemptNumber }).headers['ce-sequence'], sequence)
      const structured = noticed('order.assigned', 'ce_structured', { sequence, attemptNumber })
      const taken = HTTP.toEvent({ headers: { ...structured.headers }, body: structured.body.toString() })
      t.match(taken, { sequence })
    }
    t.notOk('X-Webhook-Sequence' in sent({ isTest: true }).headers, 'a test has none')
  },
)

t.test(
  '8: given any secret, then neither a header nor the log has eight characters of it or of its base64',
  async (t) => {
    for (const secret of Object.values(secrets)) {
      const shown = shownSecret(secret)
      const forms = [secret, shown, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]
      const parts = forms.flatMap((form) => Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)))
      for (const channel of channels) {
        for (const format of bodyFormats) {
          const { headers } = sent({ channel, format, standard: true }, { keys: [{ secret }] })
          const text = JSON.stringify([headers, redactedHeaders(headers)])
          t.same(
            parts.filter((part) => text.includes(part)),
            [],
            `${channel}, ${format}`,
          )
        }
      }
    }
  },
)

t.test(
  'given the headers of a request, when they are kept in the log, then signatures alone are cut short',
  async (t) => {
    for (const channel of channels) {
      const keys = [{ secret: vector.plain }, { secret: vector.coded, expiresAt: vectorNow + 1 }]
      const { headers } = sent({ channel, format: 'ce_binary', standard: true }, { keys })
      const kept = redactedHeaders(headers)
      t.same(Object.keys(kept), Object.keys(headers))
      for (const [name, value = ''] of Object.entries(kept)) {
        if (!/signature/i.test(name)) t.equal(value, headers[name])
        else t.ok(/^(v1[,=])?[\w+/]{8}\.\.\.( v1,[\w+/]{8}\.\.\.)?$/.test(value), value)
      }
    }
  },
)

t.test('9: given a delivery of one recipe, then the other recipe does not verify it', async (t) => {
  const tenant = received(sent({ channel: 'tenant' }))
  const provider = received(sent({ channel: 'third_party_delivery' }))
  const flawOf = (headers: Received['headers']) =>
    checksOf({ headers, body: vector.body }, vector.plain, vectorNow).map(({ flaw }) => flaw)
  t.same(flawOf({ signature: provider.headers['x-webhook-signature'] }), ['wrong_signature'])
  const swapped = { ...provider.headers, 'x-webhook-signature': tenant.headers.signature }
  t.same(flawOf(swapped), ['wrong_signature'])
  const second = received(sent({ channel: 'order_lifecycle' }))
  t.same(flawOf({ ...provider.headers, 'x-webhook-signature': second.headers['x-webhook-signature-v2'] }), [
    'wrong_signature',
  ])
})

/** The request of a webhook event in a format, made as the fan-out makes it. */
function noticed(event: string, format: BodyFormat, given: Partial<DueDelivery> = {}): Outgoing {
  const plain = delivery({ event, ...given })
  const body = format === 'ce_structured' ? structuredBody(plain, plain.body, publicUrl) : plain.body
  return sent({ ...plain, format, body })
}

const events = ['order.status_change', 'pod.files_updated', 'partner_locker.delivery.doors_opened', 'handoff.accepted']

t.test('10: given either format of CloudEvents, then the official SDK takes and validates it', async (t) => {
  for (const event of events) {
    for (const format of ['ce_binary', 'ce_structured'] as const) {
      for (const channel of channels) {
        const { headers, body } = noticed(event, format, { channel })
        const taken = HTTP.toEvent({ headers: { ...headers }, body: body.toString() })
        if (!(taken instanceof CloudEvent)) throw new Error('It was not taken as one event.')
        t.ok(taken.validate())
        t.match(taken, {
          ...{ specversion: '1.0', id: 'evt_01KATEST', type: `io.otep.${event}`, subject: 'order/42' },
          ...{
            source: 'https://track.example.com/businesses/7',
            time: '2026-01-01T00:00:00.000Z',
            otepbusinessid: '7',
          },
          dataschema: `https://track.example.com/asyncapi-webhooks.json#/components/schemas/${event}`,
          datacontenttype: 'application/json',
          data: JSON.parse(vector.body.toString()),
        })
      }
    }
  }
})

t.test(
  'given a server without a public address, when a CloudEvent is made, then its source does not depend on the port, and there is no dataschema',
  async (t) => {
    const { publicUrl: _, ...unaddressed } = standing
    for (const format of ['ce_binary', 'ce_structured'] as const) {
      const plain = delivery({ event: 'order.created' })
      const body = format === 'ce_structured' ? structuredBody(plain, plain.body, undefined) : plain.body
      const request = requestOf({
        ...unaddressed,
        delivery: { ...plain, format, body },
        keys: [{ secret: vector.plain }],
        now: vectorNow,
      })
      const taken = HTTP.toEvent({ headers: { ...request.headers }, body: Buffer.from(request.body).toString() })
      if (!(taken instanceof CloudEvent)) throw new Error('It was not taken as one event.')
      t.ok(taken.validate())
      t.equal(taken.source, '/businesses/7')
      t.equal(taken.dataschema, undefined)
    }
  },
)

t.test('11: given the attributes of an event, then names and values are what a header may have', async (t) => {
  for (const event of events) {
    const { headers } = noticed(event, 'ce_binary')
    const attributes = Object.entries(headers).filter(([name]) => name.startsWith('ce-'))
    t.equal(attributes.length, 9)
    for (const [name, value] of attributes) {
      t.match(name, /^ce-[a-z0-9]{1,20}$/)
      t.match(value, /^[\x21\x23-\x24\x26-\x7e]+$/, name)
    }
  }
})

t.test(
  '12: given five attempts, then a structured body is the same, and their number is in headers alone',
  async (t) => {
    const structured = delivery({ format: 'ce_structured' })
    const body = structuredBody(structured, structured.body, publicUrl)
    for (const attemptNumber of [1, 2, 3, 4, 5]) {
      const again = structuredBody(delivery({ ...structured, attemptNumber }), structured.body, publicUrl)
      t.ok(Buffer.from(again).equals(body))
      t.equal(sent({ ...structured, body, attemptNumber }).headers['X-Webhook-Attempt'], String(attemptNumber))
      t.equal(sent({ format: 'ce_binary', attemptNumber }).headers['ce-otepattempt'], String(attemptNumber))
    }
    t.notMatch(body.toString(), /attempt/)
    t.ok(Buffer.from(body).includes(Buffer.from(structured.body)), 'the native body stands in it byte for byte')
  },
)

t.test('13: given any format, then the ids of CloudEvents and Standard Webhooks are that of the event', async (t) => {
  for (const channel of channels) {
    const { headers } = sent({ channel, format: 'ce_binary', standard: true, eventId: 'OLE-1' })
    const native = channel === 'order_handoff' ? headers['X-Ohp-Delivery'] : headers['X-Webhook-Event-Id']
    t.same([headers['ce-id'], headers['webhook-id'], native], ['OLE-1', 'OLE-1', 'OLE-1'])
  }
})

t.test('14: given ce_binary, then the content type stands in its own header alone', async (t) => {
  const { headers } = noticed('order.deleted', 'ce_binary')
  t.notOk('ce-datacontenttype' in headers)
  t.equal(headers['Content-Type'], 'application/json')
  t.same(bodyFormats.map(contentTypeOf), ['application/json', 'application/json', 'application/cloudevents+json'])
})

t.test('15: given ce_structured, then the native signatures cover the event that is sent', async (t) => {
  for (const channel of channels) {
    const request = noticed('order.deleted', 'ce_structured', { channel, standard: true })
    t.not(request.body, vector.body)
    const checks = checksOf(received(request), vector.plain, vectorNow)
    t.ok(checks.length >= 2 && checks.every(({ flaw }) => flaw === undefined), channel)
    t.equal(Object.keys(request.headers).filter((name) => name.startsWith('ce-')).length, 0)
  }
})

t.test('16: given a URL without a format, then its headers are those of document 3 and none else', async (t) => {
  const common = { 'Content-Type': 'application/json', 'User-Agent': 'otep-engine/1.2.3', 'X-Webhook-Attempt': '1' }
  const tenant = {
    ...common,
    Signature: '15b63d4b7cd1789e8564ee8f4c17ea8e7b139dfdddb14e755e189eab6a98d97c',
    'X-Webhook-Event-Id': 'evt_01KATEST',
    'X-Webhook-Timestamp': vector.timestamp,
  }
  const second = {
    ...tenant,
    'X-Webhook-Id': 'evt_01KATEST',
    'X-Webhook-Signature-V2': providerSignature(
      vector.plain,
      { id: 'evt_01KATEST', timestamp: vector.timestamp },
      vector.body,
    ),
  }
  const id = 'dlv_9f8e7d6c5b4a39281706f5e4d3c2b1a0_1'
  const provider = {
    ...common,
    'X-Webhook-Signature': providerSignature(vector.plain, { id, timestamp: vector.timestamp }, vector.body),
    'X-Webhook-Timestamp': vector.timestamp,
    'X-Webhook-Delivery-Id': id,
    'X-Webhook-Id': 'evt_01KATEST',
    'X-Webhook-Event-Id': 'evt_01KATEST',
    'X-Webhook-Content-Digest': 'sha-256=:vU2cGVBTabhixKpFmiHFtA3BaUrcJX57MEQ4jynFiAg=:',
  }
  const handoff = {
    ...common,
    'X-Ohp-Signature': 'v1=6112abb7a1d403ae12c166a1a332ec9596d33537eed2e19e7ed9ab92943c5f64',
    'X-Ohp-Timestamp': vector.timestamp,
    'X-Ohp-Delivery': 'evt_01KATEST',
  }
  const expected: Readonly<Record<Channel, object>> = {
    tenant,
    ...{ order_lifecycle: second, driver_location: second, device_order: second },
    ...{ provider_locker: provider, third_party_delivery: provider, order_handoff: handoff },
    callback: { ...second, 'X-Open-Delivery': 'evt_01KATEST' },
  }
  for (const channel of channels) {
    t.strictSame({ ...sent({ channel }).headers }, expected[channel], channel)
    for (const marked of [{ isTest: true }, { isSandbox: true }])
      t.strictSame({ ...sent({ channel, ...marked }).headers }, { ...expected[channel], 'X-Webhook-Test': '1' })
  }
})

t.test('52: given what people wrote where an id should be, then it breaks no header', async (t) => {
  const hostile = ['order/1\r\nX-Evil: 1', 'Zoë 包裹', 'a"b%c d', 'nul\0', '\ud800', '🔑']
  for (const text of hostile) {
    const { headers } = sent({ format: 'ce_binary', subject: text, occurredAt: text, event: text })
    for (const [name, value] of Object.entries(headers)) t.match(value, /^[\x20-\x7e]+$/, name)
    t.ok(new Headers({ ...headers }))
  }
  t.equal(sent({ format: 'ce_binary', subject: 'é "%\n' }).headers['ce-subject'], '%C3%A9%20%22%25%0A')
  for (const id of [...hostile, 'a.b', '', 'x'.repeat(65)]) {
    for (const given of [{ eventId: id }, { id }])
      t.throws(() => sent(given), { code: 'internal' }, JSON.stringify(given))
  }
  t.throws(() => sent({}, { keys: [] }), { code: 'internal' }, 'an endpoint without a key')
})

/** A sample receiver of the documentation, in its own process. */
interface Sample {
  readonly url: string
  /** The next lines of its output. */
  readonly lines: AsyncIterator<string>
}

const sample = (name: string) => projectFile('docs', 'examples', 'receivers', name)

/** Starts a sample on a free port, and waits until it listens. */
async function started(t: Test, program: string, file: string, secret: string): Promise<Sample> {
  const env = { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret, PORT: '0', PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(program, [sample(file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value: first = '' } = (await lines.next()) as { value?: string }
  return { url: first.replace(/^listens on /, ''), lines }
}

/** Sends a request unchanged, and returns the status. */
async function post(url: string, { headers, body }: Pick<Outgoing, 'headers' | 'body'>): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) })
  await response.arrayBuffer()
  return response.status
}

const languages = [
  ['receiver.mjs', process.execPath],
  ['receiver.py', 'python3'],
] as const

for (const [file, program] of languages) {
  const isMissing = spawnSync(program, ['--version']).error !== undefined
  const skip = isMissing && `there is no ${program}`
  t.test(
    `given ${file}, when it is sent what the engine sends, then it takes that and nothing else`,
    { skip },
    async (t) => {
      for (const secret of [vector.plain, vector.coded, 'geheimnis-Zoë-包裹']) {
        const receiver = await started(t, program, file, secret)
        for (const channel of channels)
          for (const format of bodyFormats)
            for (const standard of [false, true])
              await t.test(`${channel}, ${format}${standard ? ', Standard Webhooks' : ''}`, (t) =>
                judges(t, receiver, { channel, format, standard, secret }),
              )
      }
    },
  )

  t.test(
    `given ${file}, when a URL is to be proved, then it echoes a signed challenge, and no other`,
    { skip },
    async (t) => {
      const { url } = await started(t, program, file, vector.plain)
      const sender = createSender({ allow: ['127.0.0.0/8'], userAgent: 'otep-engine/1.2.3', clock: Date.now })
      t.teardown(sender.close)
      await t.resolves(sender.challenge(url, vector.plain))
      await t.rejects(sender.challenge(url, vector.coded), { code: 'webhook_challenge_failed' })
    },
  )
}

/** Sends one delivery to a sample in all relevant ways. */
async function judges(
  t: Test,
  { url, lines }: Sample,
  {
    channel,
    format,
    standard,
    secret,
  }: Pick<DueDelivery, 'channel' | 'format' | 'standard'> & { readonly secret: string },
): Promise<void> {
  const now = Date.now()
  const [eventId, other] = [randomUUID(), randomUUID()]
  const make = (id: string, given: Signed = {}) => {
    const native = Buffer.from(`{"event": "order.assigned", "note": "Zoë", "event_id": "${id}"}`)
    const request = { channel, standard, eventId: id, body: native }
    return sent(
      {
        ...request,
        format,
        body: format === 'ce_structured' ? structuredBody(delivery(request), native, publicUrl) : native,
      },
      { keys: [{ secret }], now, ...given },
    )
  }
  const good = make(eventId)
  const isTimed = standard || channel !== 'tenant'
  const wrong: readonly (readonly [words: string, request: Pick<Outgoing, 'headers' | 'body'>])[] = [
    ['another secret', make(other, { keys: [{ secret: 'another secret, long enough' }] })],
    ['a changed body', { ...good, body: Buffer.concat([good.body, Buffer.from(' ')]) }],
    ['no signature', { headers: { 'Content-Type': 'application/json' }, body: good.body }],
    ...(isTimed ? ([['a stale timestamp', make(other, { now: now - 600_000 })]] as const) : []),
  ]
  for (const [words, request] of wrong) {
    t.equal(await post(url, request), 401, words)
    t.equal((await lines.next()).value, 'refused: no signature fits the secret', words)
  }
  t.equal(await post(url, good), 204)
  t.equal((await lines.next()).value, `processed ${eventId} "order.assigned"`)
  t.equal(await post(url, make(eventId, { now: now + 1_000 })), 204, 'the same event again')
  t.equal(await post(url, make(other)), 204)
  t.equal((await lines.next()).value, `processed ${other} "order.assigned"`, 'what came again was not processed again')
}

t.test('given the vector of RFC 8032, section 7.1, then its public key is made of its seed', async (t) => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
  const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
  t.equal(publicKeyOf(seed), `whpk_${Buffer.from(publicKey, 'hex').toString('base64')}`)
})

t.test(
  'given keys that also sign with ed25519, then WebCrypto verifies by the public key of each, and libraries by the secret',
  async (t) => {
    const isPublic = true as const
    const secrets = ['the first secret of all', 'the second secret of all'] as const
    const keys = [
      { secret: secrets[0], isPublic },
      { secret: secrets[1], isPublic, expiresAt: Date.now() + 60_000 },
    ]
    const { headers, body } = sent({ standard: true, event: 'order.created' }, { keys, now: Date.now() })
    const entries = String(headers['webhook-signature']).split(' ')
    t.same(
      entries.map((entry) => entry.split(',')[0]),
      ['v1', 'v1', 'v1a', 'v1a'],
    )
    const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${Buffer.from(body)}`)
    for (const secret of secrets) {
      const publicKey = publicKeyOf(seedOf(secret))
      const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64')
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
      const isBy = (entry: string) =>
        crypto.subtle.verify('Ed25519', key, Buffer.from(entry.slice(4), 'base64'), signed)
      t.same(
        await Promise.all(entries.slice(2).map(isBy)),
        secrets.map((one) => one === secret),
      )
      for (const Judge of [Standard, Svix])
        t.match(new Judge(shownSecret(secret)).verify(Buffer.from(body).toString(), { ...headers }), { order_id: 42 })
      t.same(checksOf(received({ headers, body }), publicKey, Date.now()), [{ header: 'webhook-signature' }])
    }
    const mine = publicKeyOf(seedOf(secrets[0]))
    const flaw = (given: Partial<Outgoing>, now = Date.now()) =>
      checksOf(received({ headers, body, ...given }), mine, now)[0]?.flaw
    t.equal(flaw({ body: Buffer.from('{}') }), 'wrong_signature')
    t.equal(flaw({ headers: { ...headers, 'webhook-id': 'another' } }), 'wrong_signature')
    t.equal(flaw({}, Date.now() + 400_000), 'stale')
    const { headers: plain } = sent({ standard: true }, { keys: [{ secret: secrets[0] }], now: Date.now() })
    t.equal(flaw({ headers: plain }), 'wrong_signature', 'a signature by the secret does not count')
    t.same(checksOf(received({ headers, body }), 'whpk_no', Date.now()), [
      { header: 'webhook-signature', flaw: 'wrong_signature' },
    ])
    t.match(redactedHeaders(headers)['webhook-signature'], /v1a,[\w+/]{8}\.\.\./)
  },
)
