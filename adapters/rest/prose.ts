import type { JsonSchema } from '../http/schema.ts'
import { neededFor } from './callers.ts'
import type { Routed } from './routed.ts'

/** What the description says of an operation after its summary: who may call it, and what to know of it. */
export function proseOf(operation: Routed): string {
  const { module, mcp } = operation
  return [
    whoMay(operation),
    ...(module === undefined ? [] : [`Only while the module \`${module}\` is on.`]),
    ...(mcp?.hint === undefined ? [] : [mcp.hint]),
  ].join(' ')
}

function whoMay(operation: Routed): string {
  if (operation.hasViews === true) return 'Public; some see more with a token, a postal code or a link.'
  return operation.scopes.length === 0 ? 'Public.' : neededFor(operation)
}

/**
 * What members are wherever they occur, in requests, answers and parameters. A schema that describes a member itself says
 * it better.
 */
const words: Readonly<Record<string, string>> = {
  ...{ account_id: 'Id of an account.', customer_id: 'Id of the account of a customer.' },
  ...{ driver_id: 'Id of the account of a driver.', broker_id: 'Id of the account of a contractor.' },
  ...{ order_id: 'Id of an order.', route_id: 'Id of a route.', uniorder_id: 'Id of a uniorder.' },
  ...{
    factor_id: 'Id of a second factor.',
    staff_role_id: 'Id of a staff role.',
    rule_id: 'Id of an assignment rule.',
  },
  ...{ board_id: 'Id of a route board.', file_id: 'Id of an uploaded file.', job_id: 'Id of a job.' },
  ...{ carrier_account_id: 'Id of an account at a carrier.', method_id: 'Id of a shipping method.' },
  ...{ exchange_rate_id: 'Id of a rate of exchange.', pickup_id: 'Id of a pickup of labels.' },
  ...{ delivery_id: 'Id of a delivery.', endpoint_id: 'Id of an endpoint.', manifest_id: 'Id of a manifest.' },
  ...{ proposal_id: 'Id of a proposal.', subscription_id: 'Id of a subscription.', key_id: 'Id of an API key.' },
  ...{ grant_id: 'Id of a grant.', event_id: 'Id of an event.', rate_id: 'A sealed rate, which a booking names.' },
  ...{ page: 'Which page this is, from 1.', per_page: 'How many a page has.', total: 'How many there are in all.' },
  ...{ latitude: 'Degrees north of the equator (WGS 84).', longitude: 'Degrees east of Greenwich (WGS 84).' },
  ...{
    street: 'Street with number.',
    street2: 'Second line of the street.',
    locality: 'City or town.',
    region: 'State or province.',
  },
  ...{ postal_code: 'Postal code.', country: 'Country, ISO 3166-1 alpha-2.', currency: 'Currency, ISO 4217.' },
  ...{ email: 'E-mail address.', phone: 'Phone number.', time_zone: 'Time zone, as America/Toronto (IANA).' },
  ...{
    tracking_number: 'Tracking number.',
    tracking_numbers: 'Tracking numbers.',
    reference: 'Reference of the caller.',
  },
  ...{ external_tracking_number: 'Tracking number that another system gave.' },
  ...{ message: 'For people, in the language of Accept-Language.', note: 'A note for people.' },
  ...{ schedule_date: 'Day, YYYY-MM-DD, in the time zone of the business.' },
  ...{ created_at: 'When it was made, ISO 8601.', expires_at: 'When it ends, ISO 8601.' },
  ...{ carrier: 'Name of the carrier in this interface, as sandbox.', carrier_name: 'Name of the carrier for people.' },
  ...{ service: 'Code of the service of the carrier.', service_name: 'Name of the service for people.' },
  ...{ provider: 'Name of a provider account.', transit_days: 'Days from the carrier’s pick-up to the delivery.' },
  ...{ weight_grams: 'Weight in grams.', length_cm: 'Length in centimetres.' },
  ...{ width_cm: 'Width in centimetres.', height_cm: 'Height in centimetres.' },
  ...{ photo_urls: 'Addresses of photos.', signature_url: 'Address of the picture of the signature.' },
  ...{ result: 'Whether it was done.', warnings: 'What is odd, but was no reason to refuse it.' },
  ...{ channel: 'Which of the lists of webhook events.', field: 'Name of the setting that has the URL.' },
  ...{ media_type: 'Media type of the bytes.', role: 'Kind of account.', scopes: 'What it may do.' },
  ...{ password: 'Password; it is never stored or answered.', access_token: 'Token for the Authorization header.' },
  ...{ device_platform: 'Platform of the device, as ios.', app_version: 'Version of the app.' },
  ...{ action: 'What somebody did.', last_status: 'HTTP status of the last answer.' },
  ...{ test: 'Whether it only tries the connection.', sandbox: 'Whether it is one of the sandbox.' },
}

/** Describes the members and parameters of a part of the description that are not described, as far as the word is known. */
export function withWords<Part>(part: Part): Part {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited = Object.entries(value).map(([name, one]) => [name, name === 'example' ? one : visit(one)] as const)
    return described(
      Object.fromEntries(visited.map(([name, one]) => [name, name === 'properties' ? members(one) : one])),
    )
  }
  return visit(part) as Part
}

function members(properties: unknown): unknown {
  return Object.fromEntries(
    Object.entries(properties as JsonSchema).map(([name, schema]) => [name, withWord(name, schema as JsonSchema)]),
  )
}

/** A parameter with a description. */
function described(value: JsonSchema): JsonSchema {
  return typeof value.name === 'string' && 'in' in value ? withWord(value.name, value, filters) : value
}

/** What parameters are that narrow a list, or say what is sent. */
const filters: typeof words = {
  ...{ status: 'Only those of this status.', state: 'Only those in this state.' },
  ...{ kind: 'What is sent.', platform: 'Platform of the device, as ios.' },
}

function withWord(name: string, schema: JsonSchema, more = words): JsonSchema {
  const description = more[name] ?? words[name]
  const isSaid = schema.description !== undefined || '$ref' in schema || description === undefined
  return isSaid ? schema : { ...schema, description }
}
