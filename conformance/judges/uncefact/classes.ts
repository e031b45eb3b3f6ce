import { readFileSync } from 'node:fs'
import type { NodeObject } from 'jsonld'
import { standardsFile } from '../judge.ts'

const folder = 'uncefact/vocab-23B'

/** The namespace of the vocabulary. */
export const unece = 'https://vocabulary.uncefact.org/'

/** The official context, by its path among the standards. */
export const contextFile = `${folder}/unece-context.jsonld`

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

/** Every official file that these judges read. */
export const vocabularyFiles: readonly string[] = [
  contextFile,
  statusList,
  messageFile,
  ...Object.values(classFiles).map((name) => `${folder}/classes/${name}.json`),
]

/** The properties of each class with the type of their values, all as absolute IRIs. */
export type Classes = ReadonlyMap<string, ReadonlyMap<string, string>>

interface ClassFile {
  readonly uri: string
  readonly objectProperties: readonly { readonly uri: string; readonly type: string }[]
}

/** The class of measures, as the vocabulary publishes it; it is not among the files. */
const measure = new Map([
  [`${unece}MeasureTypeValue`, 'http://www.w3.org/2001/XMLSchema#decimal'],
  [`${unece}MeasureTypeCode`, `${unece}MeasureCode`],
])

let loadedClasses: Classes | undefined

/** The classes of the vocabulary that documents use. */
export function classes(): Classes {
  loadedClasses ??= new Map([
    ...Object.values(classFiles).map((name) => {
      const { uri, objectProperties } = load<ClassFile>(`${folder}/classes/${name}.json`)
      return [absolute(uri), new Map(objectProperties.map((one) => [absolute(one.uri), absolute(one.type)]))] as const
    }),
    [`${unece}MeasureType`, measure] as const,
  ])
  return loadedClasses
}

let loadedCodes: ReadonlySet<string> | undefined

/** The IRIs of the 336 codes of Recommendation 24. */
export function statusCodes(): ReadonlySet<string> {
  loadedCodes ??= new Set(load<{ values: { uri: string }[] }>(statusList).values.map(({ uri }) => absolute(uri)))
  return loadedCodes
}

let loadedCountries: ReadonlySet<string> | undefined

/** The IRIs of the countries, by the list that the message has (UNTDID 3207). */
export function countries(): ReadonlySet<string> {
  loadedCountries ??= new Set(
    load<{ $defs: { codeList: { $defs: { UNTDID3207Type: { oneOf: { const: string }[] } } } } }>(
      messageFile,
    ).$defs.codeList.$defs.UNTDID3207Type.oneOf.map((one) => `${unece}CountryId#${one.const}`),
  )
  return loadedCountries
}

let loadedContext: NodeObject | undefined

/** The official context. */
export function context(): NodeObject {
  loadedContext ??= load<NodeObject>(contextFile)
  return loadedContext
}

function load<T>(path: string): T {
  return JSON.parse(readFileSync(standardsFile(path), 'utf8')) as T
}

function absolute(name: string): string {
  return name.replace(/^unece:/, unece).replace(/^xsd:/, 'http://www.w3.org/2001/XMLSchema#')
}
