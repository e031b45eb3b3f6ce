import { type CloudEvent, HTTP } from 'cloudevents'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { deriveId } from '../../engine/index.ts'
import { type Capture, headerOf } from './receiver.ts'

type Json = ReturnType<typeof JSON.parse>

/** What an attribute of CloudEvents may be named here, and what a header that carries one may hold. */
const attributeName = /^[a-z0-9]{1,20}$/
const attributeValue = /^[\x21\x23-\x24\x26-\x7e]+$/

/** Headers that have no place in a request that is sent in this form. */
const foreign: Readonly<Record<string, RegExp>> = {
  native: /^ce-/i,
  ce_binary: /^ce-datacontenttype$/i,
  ce_structured: /^ce-/i,
}

/** The body of the webhook event itself, whatever it is wrapped in. */
export function nativeIn(format: string, { body }: Pick<Capture, 'body'>): Json {
  const whole = JSON.parse(body.toString())
  return format === 'ce_structured' ? whole.data : whole
}

/** The errors of a captured request in its format (document 3, "Formats and Standard Webhooks"). */
export function formatFlaws(event: string, format: string, capture: Capture): readonly string[] {
  const names = capture.headers.map(([name]) => name)
  const wrong = names.filter((name) => foreign[format]?.test(name)).map((name) => `${name} has no place in ${format}`)
  const broken = capture.headers
    .filter(([, value]) => !/^[\x20-\x7e]*$/.test(value))
    .map(([name]) => `${name} is broken`)
  return [
    ...wrong,
    ...broken,
    ...idFlaws(format, capture),
    ...(format === 'native' ? [] : eventFlaws(event, format, capture)),
  ]
}

/** The id of an event: in the body if it has one, else in the native headers. */
function idFlaws(format: string, capture: Capture): readonly string[] {
  const native = nativeIn(format, capture)
  const own: string | undefined = native.event_id ?? native.message_id
  const told = headerOf(capture, 'X-Webhook-Event-Id') ?? headerOf(capture, 'X-Ohp-Delivery')
  const ids = {
    'the native header': told,
    'webhook-id': headerOf(capture, 'webhook-id') ?? told,
    ...(headerOf(capture, 'X-Webhook-Id') === undefined ? {} : { 'X-Webhook-Id': headerOf(capture, 'X-Webhook-Id') }),
    ...(format === 'native' ? {} : { 'the id of the CloudEvent': cloudEventIn(capture).id }),
  }
  return Object.entries(ids).flatMap(([place, id]) =>
    id === (own ?? told) && id !== undefined ? [] : [`${place} says ${id}, not ${own ?? told}`],
  )
}

function eventFlaws(event: string, format: string, capture: Capture): readonly string[] {
  const found = cloudEventIn(capture)
  const native = nativeIn(format, capture)
  const attributes = Object.entries(found.toJSON()).filter(
    ([name, value]) => !/^data(_base64)?$/.test(name) && value !== undefined,
  )
  const business = native.business_id
  const expected: Readonly<Record<string, unknown>> = {
    specversion: '1.0',
    type: `io.otep.${event}`,
    subject: subjectOf(event, native.data),
    otepbusinessid: String(business),
    otepattempt: format === 'ce_binary' ? headerOf(capture, 'X-Webhook-Attempt') : undefined,
  }
  return [
    ...(found.validate() ? [] : ['the CloudEvent is not valid']),
    ...attributes.filter(([name]) => !attributeName.test(name)).map(([name]) => `${name} is no name`),
    ...attributes
      .filter(([, value]) => !attributeValue.test(String(value)))
      .map(([name]) => `${name} has a wrong value`),
    ...Object.entries(expected).flatMap(([name, value]) =>
      found[name] === value ? [] : [`${name} is ${String(found[name])}, not ${String(value)}`],
    ),
    ...(found.source.endsWith(`/businesses/${business}`) ? [] : [`source is ${found.source}`]),
    ...(Date.parse(found.time ?? '') === Date.parse(native.occurred_at) ? [] : [`time is ${found.time}`]),
    ...(found.dataschema?.endsWith(`/asyncapi-webhooks.json#/components/schemas/${event}`) ? [] : ['dataschema']),
    ...(JSON.stringify(found.data) === JSON.stringify(native) ? [] : ['data is not the native body']),
  ]
}

/** A capture as the SDK of CloudEvents reads it. */
function cloudEventIn({ headers, body }: Capture): CloudEvent<unknown> {
  const given = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const read = HTTP.toEvent<unknown>({ headers: given, body: body.toString() })
  if (Array.isArray(read)) throw new Error('A batch was sent.')
  return read as CloudEvent<unknown>
}

/** The subject of an event, from its data. */
function subjectOf(event: string, data: Json): string {
  const [kind] = event.split('.')
  switch (kind) {
    case 'driver':
      return `driver/${data.driver_id}`
    case 'device_order':
      return `device-order/${data.device_order.id}`
    case 'route_board':
      return `route-board/${data.board_id}`
    case 'partner_locker':
      return `locker-delivery/${data.locker_delivery.id}`
    case 'carrier_package':
      return `carrier-package/${data.package_id}`
    case 'sensor':
      return `timeline/${deriveId(data.timeline)}`
    case 'endpoint':
      return `endpoint/${data.endpoint_id}`
    case 'delivery':
      return `assignment/${data.assignment_id}`
    case 'handoff':
    case 'amendment':
    case 'settlement_line':
      return `handoff/${data.handoff_id}`
    default:
      if (data.job_id !== undefined) return `job/${data.job_id}`
      return data.batch_id === undefined
        ? `order/${data.order_id ?? data.submitted.order_id}`
        : `batch/${data.batch_id}`
  }
}

/** Which of the libraries for Standard Webhooks do not verify a capture, at the instant at which it came. */
export function standardFlaws(capture: Capture, shownSecret: string): readonly string[] {
  const headers = Object.fromEntries(capture.headers.map(([name, value]) => [name.toLowerCase(), value]))
  return Object.entries({ standardwebhooks: Standard, svix: Svix }).flatMap(([name, Webhook]) => {
    try {
      atInstant(capture.at, () => new Webhook(shownSecret).verify(capture.body.toString(), headers))
      return []
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : error}`]
    }
  })
}

/** The libraries use the clock of the process, and the sender its own. */
function atInstant(now: number, work: () => void): void {
  const real = Date.now
  Date.now = () => now
  try {
    work()
  } finally {
    Date.now = real
  }
}

/** The form of a secret that these libraries take, as a receiver would write it. */
export function standardForm(secret: string): string {
  return secret.startsWith('whsec_') ? secret : `whsec_${Buffer.from(secret).toString('base64')}`
}
