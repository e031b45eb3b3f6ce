import { readFileSync } from 'node:fs'
import type { NodeObject } from 'jsonld'
import { official } from '../official.ts'

const folder = 'uncefact/vocab-23B'

/** The namespace of the vocabulary. */
export const unece = 'https://vocabulary.uncefact.org/'

const contextFile = `${folder}/unece-context.jsonld`

/** The official schema of the status report, by its path among the standards. */
export const messageFile =
  'uncefact/json-schema/UNECE-MultimodalTransportConsignmentStatusReport.D23B.snapshot.2020-12.json'

const statusList = `${folder}/codelists/logisticsstatuscodelist.json`

/** The classes that documents may have nodes of, by the file that publishes each. */
const classFiles: Readonly<Record<string, string>> = {
  Consignment: 'consignment',
  TransportEvent: 'transportevent',
  LogisticsStatus: 'logisticsstatus',
  LogisticsLocation: 'logisticslocation',
  GeographicalCoordinate: 'geographicalcoordinate',
  TradeAddress: 'tradeaddress',
  TradeParty: 'tradeparty',
  Note: 'note',
}

/** The properties of each class with the type of their values, all as absolute IRIs. */
type Classes = ReadonlyMap<string, ReadonlyMap<string, string>>

interface ClassFile {
  readonly uri: string
  readonly objectProperties: readonly { readonly uri: string; readonly type: string }[]
}

/** The class of measures, as the vocabulary publishes it; it is not among the files. */
const measure = new Map([
  [`${unece}MeasureTypeValue`, 'http://www.w3.org/2001/XMLSchema#decimal'],
  [`${unece}MeasureTypeCode`, `${unece}MeasureCode`],
])

/** What the official files say that documents may contain. */
export interface Vocabulary {
  readonly context: NodeObject
  readonly classes: Classes
  /** The IRIs of the 336 codes of Recommendation 24. */
  readonly statusCodes: ReadonlySet<string>
  /** The IRIs of the countries, by the list that the message has (UNTDID 3207). */
  readonly countries: ReadonlySet<string>
}

/** The vocabulary of the official files. */
export const vocabulary = official(
  [contextFile, statusList, messageFile, ...Object.values(classFiles).map((name) => `${folder}/classes/${name}.json`)],
  ([context = '', codes = '', message = '', ...classes]): Vocabulary => ({
    context: load(context),
    classes: new Map([...classes.map(classIn), [`${unece}MeasureType`, measure]]),
    statusCodes: new Set(load<{ values: { uri: string }[] }>(codes).values.map(({ uri }) => absolute(uri))),
    countries: countriesIn(message),
  }),
)

function classIn(file: string): readonly [string, ReadonlyMap<string, string>] {
  const { uri, objectProperties } = load<ClassFile>(file)
  return [absolute(uri), new Map(objectProperties.map((one) => [absolute(one.uri), absolute(one.type)]))]
}

function countriesIn(file: string): ReadonlySet<string> {
  const { $defs } = load<{ $defs: { codeList: { $defs: { UNTDID3207Type: { oneOf: { const: string }[] } } } } }>(file)
  return new Set($defs.codeList.$defs.UNTDID3207Type.oneOf.map((one) => `${unece}CountryId#${one.const}`))
}

function load<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}

function absolute(name: string): string {
  return name.replace(/^unece:/, unece).replace(/^xsd:/, 'http://www.w3.org/2001/XMLSchema#')
}
