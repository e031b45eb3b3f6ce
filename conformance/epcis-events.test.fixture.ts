import fc from 'fast-check'

/** An event of EPCIS in JSON. */
export type Event = Readonly<Record<string, unknown>>

export const gs1Context = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'

/** The context of the documents of these tests. */
export const context = [gs1Context, { ex: 'https://ns.example/epcis/', 'more.of-it': 'urn:example:more:' }]

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const serial = fc.stringMatching(/^[A-Z0-9]{1,12}$/)
const epc = serial.map((one) => `urn:epc:id:sgtin:4012345.011111.${one}`)
const epcs = fc.uniqueArray(epc, { minLength: 1, maxLength: 3 })
const epcClass = serial.map((one) => `urn:epc:class:lgtin:4012345.012345.${one}`)
const someUri = serial.map((one) => `https://example.org/a/${one}?b=c&d=%20'e'`)
const amount = fc.integer({ min: 0, max: 10_000 }).map((count) => count / 8)
const quantity = fc.oneof(
  fc.record({ epcClass }),
  fc.record({ epcClass, quantity: amount }),
  fc.record({ epcClass, quantity: amount, uom: fc.constantFrom('KGM', 'LTR') }),
)
const quantities = fc.array(quantity, { minLength: 1, maxLength: 2 })
const gln = fc.constantFrom('0000', '0001', '0123').map((part) => `urn:epc:id:sgln:4012345.0${part}.0`)
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((one) => /^[^\p{C}\s]+$/u.test(one))

/** A value of an extension; a text in XML is a text, so numbers and truth values come back as texts from there. */
const scalar = fc.oneof(text, amount, fc.boolean())
const name = fc.constantFrom('ex:note', 'ex:weight', 'more.of-it:lot', 'ex:_odd-name.1')
const { extension } = fc.letrec<{ extension: Event; value: unknown }>((tie) => ({
  extension: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(scalar, { minLength: 2, maxLength: 3 }),
    tie('extension'),
    fc.array(tie('extension'), { minLength: 2, maxLength: 2 }),
  ),
}))
const extended = (members: fc.Arbitrary<object>) =>
  fc.tuple(members, optional(extension)).map(([one, more]): Event => ({ ...one, ...more }))

const dispositions = ['in_transit', 'stolen', 'recalled', 'damaged', 'sellable_accessible'] as const
const steps = ['shipping', 'receiving', 'departing', 'inspecting', 'https://example.org/steps/wrapping'] as const
const party = (member: string) =>
  fc.array(fc.record({ type: fc.constantFrom('owning_party', 'possessing_party'), [member]: someUri }), {
    minLength: 1,
    maxLength: 2,
  })
const transactions = fc.array(fc.record({ type: fc.constantFrom('po', 'desadv', 'inv'), bizTransaction: someUri }), {
  minLength: 1,
  maxLength: 2,
})

/** Extensions of a sensor report are attributes in XML, so each is one value. */
const attributes = fc.dictionary(name, scalar, { maxKeys: 2, noNullPrototype: true })

const report = fc
  .tuple(
    fc.record({ type: fc.constantFrom('Temperature', 'Angle', 'Speed') }),
    fc.record(
      {
        ...{ value: amount, minValue: amount, sDev: amount, uom: fc.constant('CEL'), stringValue: text, time },
        ...{ booleanValue: fc.boolean(), hexBinaryValue: fc.constant('0A1B'), uriValue: someUri, deviceID: someUri },
        ...{ component: fc.constantFrom('x', 'latitude'), exception: fc.constant('ALARM_CONDITION') },
        ...{ chemicalSubstance: someUri, dataProcessingMethod: someUri },
      },
      { requiredKeys: [] },
    ),
  )
  .chain(([type, members]) => attributes.map((more): Event => ({ ...type, ...members, ...more })))
const sensors = fc.array(
  extended(
    fc.record(
      {
        sensorMetadata: fc.record({ time, deviceID: someUri, rawData: someUri }, { requiredKeys: [] }),
        sensorReport: fc.array(report, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['sensorReport'] },
    ),
  ),
  { minLength: 1, maxLength: 2 },
)

const declaration = extended(
  fc.record(
    {
      declarationTime: time,
      reason: fc.constantFrom('did_not_occur', 'incorrect_data'),
      correctiveEventIDs: fc.array(
        fc.uuid().map((id) => `urn:uuid:${id}`),
        { minLength: 1, maxLength: 2 },
      ),
    },
    { requiredKeys: ['declarationTime'] },
  ),
)

const common = {
  eventTime: time,
  eventTimeZoneOffset: fc.constantFrom('+00:00', '-05:00', '+14:00'),
}
const place = extended(gln.map((id) => ({ id })))
const around = {
  ...{ eventID: fc.uuid().map((id) => `urn:uuid:${id}`), recordTime: time, certificationInfo: someUri },
  ...{ errorDeclaration: declaration, bizStep: fc.constantFrom(...steps) },
  ...{ disposition: fc.constantFrom(...dispositions), readPoint: place, bizLocation: place },
  ...{ bizTransactionList: transactions, sourceList: party('source'), destinationList: party('destination') },
  sensorElementList: sensors,
}
const persistentDisposition = fc.record({
  set: fc.uniqueArray(fc.constantFrom(...dispositions), { minLength: 1, maxLength: 2 }),
  unset: fc.uniqueArray(fc.constantFrom(...dispositions), { minLength: 1, maxLength: 2 }),
})

function typed(
  type: string,
  required: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  more: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Event> {
  const members = { type: fc.constant(type), ...common, ...around, ...more, ...required }
  const requiredKeys = ['type', ...Object.keys(common), ...Object.keys(required)] as (keyof typeof members)[]
  return extended(fc.record(members, { requiredKeys }))
}

const action = fc.constantFrom('ADD', 'OBSERVE', 'DELETE')
const children = { parentID: epc, childEPCs: epcs }

/** Any valid event of one of the five types, which names at least one single thing. */
export const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  typed('ObjectEvent', { action, epcList: epcs }, { quantityList: quantities, persistentDisposition }),
  typed('ObjectEvent', { action: fc.constant('ADD'), epcList: epcs, ilmd: extension }),
  typed('AggregationEvent', { action, ...children }, { childQuantityList: quantities }),
  typed('AssociationEvent', { action, ...children }, { childQuantityList: quantities }),
  typed(
    'TransactionEvent',
    { action, epcList: epcs, bizTransactionList: transactions },
    { parentID: epc, quantityList: quantities },
  ),
  typed(
    'TransformationEvent',
    { inputEPCList: epcs, outputEPCList: epcs },
    {
      inputQuantityList: quantities,
      outputQuantityList: quantities,
      transformationID: someUri,
      persistentDisposition,
      ilmd: extension,
    },
  ),
)

/** A document to be captured with these events. */
export function captured(eventList: readonly Event[], of: unknown = context) {
  return {
    '@context': of,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-06-10T14:00:00Z',
    epcisBody: { eventList },
  }
}
