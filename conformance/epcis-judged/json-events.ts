import fc from 'fast-check'
import { jsonSchema } from '../judges/epcis/files.ts'
import { madeOf } from '../judges/official.ts'

type Json = Readonly<Record<string, unknown>>

/** The parts of a JSON Schema that GS1 uses for events. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly propertyNames?: Schema
}

/** The types of event that EPCIS defines. */
export const eventTypes = [
  ...(['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent'] as const),
]

const uris = [
  ...['urn:epc:id:sscc:4012345.0000000001', 'https://id.gs1.org/01/09521230111119/21/S?17=270101', 'ex:thing', 'no:x'],
  ...['https://brand.example/00/395212300004172605', 'urn:epc:class:lgtin:4012345.012345.998877', 'geo:1,2'],
  ...['urn:epc:id:sgln:4012345.00001.0', 'http://[::1]/x', 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8', 'x:/'],
  ...['https://ref.gs1.org/cbv/BizStep-departing', 'cbv:BizStep-arriving', 'cbv:Disp-damaged', 'cbv:Comp-x', 'urn:x'],
  ...['gs1:Temperature', 'gs1:MeasurementType-Other', 'https://ex.example/own', 'cbv:BTT-po', 'cbv:SDT-location'],
  ...['urn:uuid:x', `ni:///sha-256;${'0a'.repeat(32)}?ver=CBV2.0`, 'https://id.gs1.org/414/9521230000117', 'urn:a:b#c'],
]

const times = [
  ...['2026-06-10T09:30:00Z', '2026-06-10T09:30:00.120-04:00', '2026-12-31T23:59:59.123456789123+14:00'],
  ...['2016-12-31T23:59:60Z', '1969-02-28T00:00:00-13:59', '2024-02-29T10:00:00+23:00'],
]

/** RDF merges the members of two transactions with one name, and SHACL then finds two types. */
const transaction = fc.nat().map((number) => `urn:epcglobal:cbv:bt:4012345000016:${number}`)

/** Only these ids of events pass the shapes. */
const eventId = fc.constantFrom(
  ...[
    'urn:uuid:x',
    'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8',
    'ni:///x',
    `ni:///sha-256;${'0a'.repeat(32)}?ver=CBV2.0`,
  ],
)

const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = { bizTransaction: transaction, eventID: eventId }

const texts = ['', 'x', ' 12 ', '0614141073467', 'in_transit', 'ü 🚚']

/** Texts for the patterns of the schema. */
const byPattern: readonly (readonly [holds: RegExp, texts: readonly string[]])[] = [
  [/13\]\|?.*14:00|14:00/, ['+00:00', '-04:00', '+14:00', '+05:45']],
  [/A-Z.*\{2,3\}/, ['KGM', 'EA', 'X4G']],
  [/A-Fa-f/, ['0aF1', 'FF']],
  [/ADD|OBSERVE|DELETE/, ['ADD', 'OBSERVE', 'DELETE']],
]

const extensions: Json = {
  'ex:text': ' x ',
  'ex:number': 1.5,
  'ex:list': ['b', 'a', 3, false],
  'ex:object': { 'ex:b': { 'ex:c': '1' }, 'ex:a': [{ 'ex:d': 2 }], quantity: 7 },
  'https://other.example/own': null,
  'no:prefix': true,
}

/** Texts of a type. */
function text({ enum: words, format, pattern }: Schema): fc.Arbitrary<unknown> {
  if (words !== undefined) return fc.constantFrom(...words)
  if (format === 'date-time') return fc.constantFrom(...times)
  if (format === 'uri') {
    const form = pattern === undefined ? /./ : new RegExp(pattern)
    return fc.constantFrom(...uris.filter((uri) => form.test(uri)))
  }
  const known = byPattern.find(([holds]) => pattern !== undefined && holds.test(pattern))
  return fc.constantFrom(...(known?.[1] ?? texts))
}

/** Values that the schema of events allows, mostly; what its content rules exclude is for the judges. */
export const eventsBySchema = madeOf(
  jsonSchema,
  (schema) => (type: (typeof eventTypes)[number]) =>
    eventsOf(type, schema as { readonly definitions: Readonly<Record<string, Schema>> }),
)

function eventsOf(
  type: (typeof eventTypes)[number],
  { definitions }: { readonly definitions: Readonly<Record<string, Schema>> },
): fc.Arbitrary<Json> {
  const named = (ref: string): Schema => definitions[decodeURIComponent(ref.slice('#/definitions/'.length))] ?? {}

  function flat({ allOf = [], $ref, ...schema }: Schema): Schema {
    const parts = [schema, ...($ref === undefined ? [] : [named($ref)]).map(flat), ...allOf.map(flat)]
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}))
    const required = parts.flatMap((part) => part.required ?? [])
    const names = parts.find((part) => part.propertyNames !== undefined)?.propertyNames
    return { ...Object.assign({}, ...parts.reverse()), properties, required, ...(names && { propertyNames: names }) }
  }

  function object({ properties = {}, required = [], propertyNames }: Schema): fc.Arbitrary<Json> {
    const members = Object.fromEntries(
      Object.entries(properties)
        // The context knows no bizRules of reports.
        .filter(([name]) => name !== '@context' && !(name === 'bizRules' && 'component' in properties))
        .map(([name, schema]) => [name, byName[name] ?? value(schema)]),
    )
    const plain = fc.record(members, { requiredKeys: required.filter((name) => name in members) })
    if (propertyNames === undefined) return plain
    const more = fc.subarray(Object.entries(extensions), { maxLength: 2 })
    return fc.tuple(plain, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, more)).map(([one, added]) => ({
      ...one,
      ...Object.fromEntries(added),
    }))
  }

  function value(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined && schema.allOf === undefined) return value(named(schema.$ref))
    if (schema.anyOf !== undefined && schema.properties === undefined) return fc.oneof(...schema.anyOf.map(value))
    const { type: kind, items = {}, minItems = 0, uniqueItems } = schema
    if (kind === 'string') return text(schema)
    if (kind === 'number') return fc.oneof(fc.integer(), fc.constantFrom(1.5, -0.25, 0.001, 200, 12.3456789))
    if (kind === 'boolean') return fc.boolean()
    if (kind !== 'array') return object(flat(schema))
    const limits = { minLength: minItems, maxLength: minItems + 2 }
    const options = {
      ...limits,
      comparator: (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other),
    }
    return uniqueItems ? fc.uniqueArray(value(items), options) : fc.array(value(items), limits)
  }

  return object(flat(definitions[type] ?? {})).map(({ ilmd, ...event }) => ({
    ...{ ...event, type },
    ...((event.action === 'ADD' || type === 'TransformationEvent') && ilmd !== undefined && { ilmd }),
  }))
}

/** A document with these events. */
export function documentOf(eventList: readonly unknown[]): Json {
  return {
    '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld', { ex: 'https://ex.example/' }],
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-06-10T14:00:00Z',
    epcisBody: { eventList },
  }
}
