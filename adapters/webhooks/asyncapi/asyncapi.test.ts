import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import t from 'tap'
import { errorsIn } from '../../../conformance/webhooks/description.ts'
import { bodyFormats, channels } from '../../../engine/index.ts'
import { webhookEventTypes } from '../../engine.ts'
import { retryPolicies } from '../retry-policy.ts'
import { asyncapi } from './index.ts'

const description = asyncapi({ eventTypes: webhookEventTypes, version: '1.2.3' })
const text = JSON.stringify(description)
const document: ReturnType<typeof JSON.parse> = JSON.parse(text)

/** The events of document 3, and those of sensors and of the health of endpoints, by their channel. */
const events: Readonly<Record<string, readonly string[]>> = {
  tenant: [
    ...['order.created', 'order.status_change', 'tracking.event', 'order.create_async'],
    ...['pod.files_updated', 'order.deleted', 'order.cancel_failed', 'route_board.seat_changed'],
    ...['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered', 'sensor.limit_breached', 'sensor.breach_ended'],
  ],
  order_lifecycle: [
    ...['order.assigned', 'order.unassigned', 'order.accepted', 'order.rejected', 'order.pickup_started'],
    ...['order.picked_up', 'order.on_the_way', 'order.completed', 'order.failed', 'order.cancelled', 'order.ready'],
    'driver.on_duty_changed',
  ],
  driver_location: ['driver.location_update'],
  device_order: [
    ...['device_order.stored', 'device_order.collected', 'device_order.removed', 'device_order.overdue'],
    ...['device_order.exception_opened', 'device_order.exception_resolved'],
  ],
  provider_locker: [
    ...['partner_locker.delivery.doors_opened', 'partner_locker.delivery.delivered', 'partner_locker.pickup.completed'],
    ...['partner_locker.delivery.failed', 'partner_locker.delivery.expired', 'partner_locker.delivery.cancelled'],
    ...['partner_locker.delivery.correction_reopened', 'partner_locker.delivery.code_rotated'],
    ...['carrier_package.distribution.created', 'carrier_package.distribution.loaded'],
    ...['carrier_package.distribution.delivered', 'carrier_package.distribution.shelved'],
    'carrier_package.distribution.removed',
  ],
  third_party_delivery: [
    ...['delivery.assignment.created', 'delivery.assignment.handed_over', 'delivery.assignment.cancelled'],
    'delivery.assignment.partial_delivered',
  ],
  order_handoff: [
    ...['handoff.accepted', 'handoff.rejected', 'handoff.expired', 'handoff.cancelled', 'amendment.accepted'],
    ...['amendment.rejected', 'handoff.tracking', 'settlement_line.created'],
  ],
  callback: [
    'open.batch_finished',
    'open.job_finished',
    'open.order_accepted',
    'open.order_rejected',
    'open.order_status_changed',
  ],
}

t.test('given the description, when the official schema of AsyncAPI judges it, then it finds no error', (t) => {
  t.same(errorsIn(document), [])
  t.not(errorsIn({ ...document, info: undefined }).length, 0, 'it finds one where there is one')
  t.equal(
    Object.keys(document.components.messages).length,
    webhookEventTypes.length * bodyFormats.length + 2,
    'events and the challenge',
  )
  t.end()
})

t.test(
  'given the events of document 3, then each stands in the description, by its channel, and no other does',
  async (t) => {
    const named = Object.values(events).flat()
    t.same(Object.keys(document.channels).sort(), [...named, 'webhook.challenge'].sort())
    t.same(Object.keys(events), channels)
    for (const [channel, names] of Object.entries(events))
      for (const name of names) {
        t.equal(document.channels[name]['x-channel'], channel, name)
        t.same(Object.keys(document.channels[name].messages), bodyFormats)
        t.match(document.operations[`send.${name}`], { action: 'send', channel: { $ref: `#/channels/${name}` } })
      }
  },
)

t.test(
  'given the description, then it tells the schedule of every channel, and the fields that it belongs to',
  async (t) => {
    const limits = document['x-channels']
    t.match(limits.tenant, {
      attempts: 5,
      pauses_seconds: [10, 100, 1000, 10000],
      timeout_seconds: 3,
      after_the_last: 'failed',
    })
    for (const channel of ['provider_locker', 'third_party_delivery'])
      t.match(limits[channel], { attempts: 7, timeout_seconds: 3, after_the_last: 'dead', fields: [] })
    for (const channel of channels) t.equal(limits[channel].attempts, retryPolicies[channel].pauses.length + 1)
    for (const { name, field, channel } of webhookEventTypes)
      if (field !== undefined) {
        t.equal(document.channels[name]['x-settings-field'], field, name)
        t.ok(limits[channel].fields.includes(field))
      }
  },
)

t.test(
  'given a channel, then it tells which members of data conditions may name: those of its schema but prices',
  async (t) => {
    for (const { name, channel } of webhookEventTypes) {
      const { 'x-filterable': members } = document.channels[name]
      if (channel === 'callback') t.equal(members, undefined, `${name}: a callback has no conditions`)
      else {
        const { properties } = document.components.schemas[name].properties.data
        t.ok(members.length > 0, name)
        for (const member of members) t.ok(Object.hasOwn(properties, member), `${name}: ${member}`)
        t.notOk(members.includes('price_details'), name)
      }
    }
    t.ok(document.channels['order.created']['x-filterable'].length > 0)
  },
)

t.test(
  'given the examples, then each is as its schema says, alone and in a CloudEvent, and schemas allow more members',
  async (t) => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    formats.default(ajv)
    ajv.addSchema(document, 'description')
    t.notMatch(text, /"additionalProperties":false/)
    for (const { name } of webhookEventTypes) {
      const { payload, examples } = document.components.messages[name]
      const validate = ajv.compile({ $ref: `description${payload.$ref}` })
      t.equal(examples.length, 1)
      const [{ payload: example }] = examples
      t.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`)
      t.notOk(validate({ ...example, event: 'another.event' }), 'it is of its own event')
      t.ok(validate({ ...example, added: 1 }), 'members may be added')
      t.ok(validate({ ...example, data: { ...example.data, added: 1 } }), 'to its data as well')
      t.notOk(validate({ ...example, data: undefined }), 'but none may be missing')
      t.ok(validate({ ...example, data: { ...example.data, test: true } }), 'a test event says so')
      const structured = document.components.messages[`${name}.ce_structured`]
      t.equal(structured.contentType, 'application/cloudevents+json')
      const wrapped = ajv.compile({ $ref: `description${structured.payload.$ref}` })
      const attributes = {
        ...{ specversion: '1.0', id: 'EVT-1', source: 'https://otep.example/businesses/1', type: `io.otep.${name}` },
        ...{ subject: 'order/42', time: '2026-06-10T10:00:00.000Z', dataschema: 'https://otep.example/a.json#/b' },
        ...{ datacontenttype: 'application/json', otepbusinessid: '1' },
      }
      t.ok(wrapped({ ...attributes, data: example }), `${name}: ${ajv.errorsText(wrapped.errors)}`)
      t.ok(wrapped({ ...attributes, sequence: '0000000000000042', data: example }))
    }
  },
)

t.test('given events that carry an id, then their examples have it in the form that it is sent in', async (t) => {
  const forms: Readonly<Record<string, RegExp>> = {
    ...{ order_lifecycle: /^OLE-/, driver_location: /^OLE-/, device_order: /^DOE-/, provider_locker: /^PLE-(?!MOCK)/ },
    ...{ third_party_delivery: /^TPD-/, order_handoff: /^OHM-/, callback: /^OPE-/ },
    ...{ 'pod.files_updated': /^PFU-/, 'order.deleted': /^ODE-/ },
    ...{ 'endpoint.failing': /^EPH-/, 'endpoint.disabled': /^EPH-/, 'endpoint.recovered': /^EPH-/ },
  }
  for (const { name, channel, idMember } of webhookEventTypes) {
    const [{ payload }] = document.components.messages[name].examples
    if (idMember === undefined) t.notOk('event_id' in payload || 'message_id' in payload, name)
    else t.match(payload[idMember], forms[name] ?? forms[channel] ?? /^never$/, name)
  }
  const schema = document.components.schemas['partner_locker.delivery.delivered']
  t.match(schema.properties.event_id.description, /PLE-MOCK-/)
})

t.test(
  'given a message, then its headers are those of its channel, and CloudEvents are among them in binary alone',
  async (t) => {
    const needed = (name: string): readonly string[] => {
      const [{ $ref }] = document.components.messages[name].traits
      return document.components.messageTraits[$ref.split('/').at(-1)].headers.required
    }
    t.ok(needed('order.created').includes('Signature'))
    t.notOk(needed('order.created').includes('X-Webhook-Id'), 'the classic ones have no second signature')
    for (const name of ['order.assigned', 'device_order.stored', 'driver.location_update'])
      t.ok(['Signature', 'X-Webhook-Id', 'X-Webhook-Signature-V2'].every((header) => needed(name).includes(header)))
    for (const name of ['partner_locker.delivery.failed', 'delivery.assignment.created']) {
      t.ok(needed(name).includes('X-Webhook-Content-Digest'))
      t.notOk(needed(name).includes('Signature'))
    }
    t.ok(needed('handoff.accepted').includes('X-Ohp-Signature'))
    for (const { name } of webhookEventTypes) {
      const cloud = (message: string) => needed(message).filter((header) => header.startsWith('ce-'))
      t.same(cloud(name), [])
      t.same(cloud(`${name}.ce_structured`), [])
      t.equal(cloud(`${name}.ce_binary`).length, 8)
    }
  },
)

t.test(
  'given the challenge of a subscription, then it is described with its echo, and every signature by its header',
  (t) => {
    const { channels: known, operations, components } = document
    const { reply, messages, security } = operations['send.webhook.challenge']
    t.same(Object.keys(known['webhook.challenge'].messages), ['native', 'echo'])
    t.match([messages, reply.messages], [[{ $ref: /messages\/native$/ }], [{ $ref: /messages\/echo$/ }]])
    const asked = components.messages['webhook.challenge']
    t.same(asked.headers.required, ['X-Ohp-Signature', 'X-Ohp-Timestamp'])
    const validate = new Ajv({ strict: false }).compile(asked.payload)
    t.ok(validate({ type: 'webhook.challenge', challenge: 'a'.repeat(64) }))
    t.notOk(validate({ type: 'webhook.challenge' }))
    t.same(security, [{ $ref: '#/components/securitySchemes/handoff' }])
    for (const { name, channel } of webhookEventTypes) {
      const [{ $ref }] = operations[`send.${name}`].security
      const { name: header } = components.securitySchemes[$ref.split('/').at(-1)]
      const [{ $ref: trait }] = components.messages[name].traits
      t.ok(components.messageTraits[trait.split('/').at(-1)].headers.required.includes(header), channel)
    }
    t.end()
  },
)
