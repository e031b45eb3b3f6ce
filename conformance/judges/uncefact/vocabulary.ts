import jsonld, { type JsonLdDocument, type Options } from 'jsonld'
import type { FaultsIn, Judge } from '../judge.ts'
import { madeOf } from '../official.ts'
import { unece, type Vocabulary, vocabulary } from './classes.ts'
import { isInstant, isJsonObject, isMessage, type Json, type JsonObject, listOf, objectsOf, read } from './read.ts'

const contextUrl = `${unece}unece-context.jsonld`
const xsd = 'http://www.w3.org/2001/XMLSchema#'

/** Safe mode of JSON-LD with the official context, then every node against the properties of its class. */
export const vocabularyJudge: Judge = {
  name: 'JSON-LD safe mode and vocabulary D23B',
  format: 'uncefact',
  takes: (judged) => !isMessage(judged),
  open: madeOf(vocabulary, faultsBy),
}

function faultsBy(known: Vocabulary): FaultsIn {
  const options: Options.Expand & { readonly safe: boolean } = {
    safe: true,
    documentLoader: async (url) => {
      if (url !== contextUrl) throw new Error(`a document may not refer to ${url}`)
      return { documentUrl: url, document: known.context }
    },
  }
  return async (judged) => {
    const document = read(judged)
    if (typeof document === 'string') return [document]
    if (document['@context'] !== contextUrl) return ['The context is not the official one.']
    try {
      const expanded = await jsonld.expand(document as JsonLdDocument, options)
      const roots = objectsOf(expanded as unknown as Json)
      if (roots.length !== 1) return ['The document has not one root.']
      return roots.flatMap((root) => nodeFaults(known, root, `${unece}Consignment`, 'document'))
    } catch (error) {
      return [`JSON-LD: ${error instanceof Error ? error.message : String(error)}`]
    }
  }
}

/** What is wrong with a node that should be of a class. */
function nodeFaults(known: Vocabulary, node: JsonObject, expected: string, path: string): readonly string[] {
  const id = node['@id']
  const faults = typeof id === 'string' && !isIri(id) ? [`${path} has the relative id ${id}.`] : []
  const types = listOf(node['@type'])
  if (types.length !== 1 || types[0] !== expected) return [...faults, `${path} is ${types.join()}, not ${expected}.`]
  const properties = known.classes.get(expected)
  if (properties === undefined) return [...faults, `${path} is of a class that no document needs: ${expected}.`]
  return [
    ...faults,
    ...Object.entries(node).flatMap(([property, values]) => {
      if (property.startsWith('@')) return []
      const type = properties.get(property)
      if (type === undefined) return [`${path}: ${property} is no property of ${expected}.`]
      const name = `${path}.${property.slice(unece.length)}`
      return listOf(values).flatMap((value, at) => valueFaults(known, value, type, property, `${name}[${at}]`))
    }),
  ]
}

function valueFaults(known: Vocabulary, value: Json, type: string, property: string, path: string): readonly string[] {
  if (!isJsonObject(value)) return [`${path} is no value.`]
  if (type.startsWith(xsd)) return literalFaults(value, type, property, path)
  if ('@value' in value) return [`${path} is a literal, not ${type}.`]
  if (known.classes.has(type)) return nodeFaults(known, value, type, path)
  const id = value['@id']
  if (typeof id !== 'string' || Object.keys(value).length > 1) return [`${path} is no code.`]
  return codeFaults(known, id, type, path)
}

function literalFaults(value: JsonObject, type: string, property: string, path: string): readonly string[] {
  const text = value['@value']
  if (typeof text !== 'string') return [`${path} is no text.`]
  if (value['@type'] !== type) return [`${path} is of the type ${value['@type']}, not ${type}.`]
  if (property.endsWith('DateTime') && !isInstant(text)) return [`${path} is no date with a time and a zone: ${text}.`]
  if (type === `${xsd}decimal` && !/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return [`${path} is no decimal: ${text}.`]
  return []
}

/** The lists of codes that documents may refer to, each by the type of the property. */
function codeFaults({ statusCodes, countries }: Vocabulary, id: string, type: string, path: string): readonly string[] {
  if (type === `${unece}LogisticsStatusCodeList`) {
    return statusCodes.has(id) ? [] : [`${path} is no code of Recommendation 24: ${id}.`]
  }
  if (type === `${unece}CountryId`) return countries.has(id) ? [] : [`${path} is no country: ${id}.`]
  if (type === `${unece}MeasureCode`) {
    return id === `${unece}UnitMeasureCode#DD` ? [] : [`${path} is no unit of an angle: ${id}.`]
  }
  return [`${path} has a value that these documents do not need: ${id}.`]
}

function isIri(id: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(id)
}
