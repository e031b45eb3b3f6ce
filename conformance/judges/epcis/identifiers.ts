import { type Members, objectsOf, textsOf } from './walk.ts'

/** What is wrong with the identifiers of an event. */
export function identifierFaults(event: Members): readonly string[] {
  const places = [event.readPoint, event.bizLocation].flatMap(objectsOf).map(({ id }) => id)
  const transactions = objectsOf(event.bizTransactionList).map(({ bizTransaction }) => bizTransaction)
  const parties = objectsOf([event.sourceList, event.destinationList].flat()).flatMap(({ source, destination }) => [
    source,
    destination,
  ])
  const things = textsOf([...textsOf(event.epcList), ...places, ...transactions, ...parties])
  return [
    ...textsOf(event.eventID).flatMap(eventIdFaults),
    ...things.flatMap(keyFaults),
    ...things.flatMap(curieFaults),
  ]
}

const uuid = /^urn:uuid:[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$/
const namedByHash = /^ni:\/\/\/sha-256;[\da-f]{64}\?ver=CBV2\.0$/

function eventIdFaults(id: string): readonly string[] {
  return uuid.test(id) || namedByHash.test(id) ? [] : [`${id} is no id of an event.`]
}

/** The digits of each kind of key, by how a URI with one begins; a URN has no check digit. */
const keys: readonly { readonly form: RegExp; readonly length: number; readonly isChecked: boolean }[] = [
  { form: /^https:\/\/id\.gs1\.org\/00\/([^/?#]*)/, length: 18, isChecked: true },
  { form: /^https:\/\/id\.gs1\.org\/41[47]\/([^/?#]*)/, length: 13, isChecked: true },
  { form: /^urn:epc:id:sscc:([^:]*)$/, length: 17, isChecked: false },
  { form: /^urn:epc:id:sgln:([^.]*\.[^.]*)\.[^:]*$/, length: 12, isChecked: false },
]

function keyFaults(text: string): readonly string[] {
  for (const { form, length, isChecked } of keys) {
    const key = form.exec(text)?.[1]?.replace('.', '')
    if (key === undefined) continue
    if (key.length !== length || !/^\d+$/.test(key)) return [`${text} has not ${length} digits.`]
    if (isChecked && !hasRightSum(key)) return [`${text} has a wrong check digit.`]
  }
  return /^urn:epc:id:(sscc|sgln):/.test(text) && !keys.some(({ form }) => form.test(text))
    ? [`${text} is no EPC.`]
    : []
}

/** GS1 General Specifications, section 7.9: with its weights 3 and 1 from the right the sum is a multiple of ten. */
function hasRightSum(key: string): boolean {
  let sum = 0
  for (const [index, digit] of [...key].reverse().entries()) sum += Number(digit) * (index % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

/** A text with a declared prefix is a compact URI, not a URI. */
function curieFaults(text: string): readonly string[] {
  return /^(epcis|cbv|cbvmda|gs1|rdfs|owl|xsd|dcterms|otep):/.test(text) ? [`${text} is read as a compact URI.`] : []
}
