import { readFileSync } from 'node:fs'
import zazuko from '@zazuko/env'
import jsonld, { type ContextDefinition, type JsonLdDocument, type Options } from 'jsonld'
import { Parser } from 'n3'
import Validator from 'rdf-validate-shacl'
import { type Judge, missingFiles, standardsFile } from '../judge.ts'
import { isJson } from './json-schema.ts'

const contextFile = 'epcis/context/epcis-context.jsonld'
const shapesFile = 'epcis/ontology/EPCIS-SHACL.ttl'

/** Both are answered with the context that the shapes were written for: the published copies differ in one datatype. */
const contexts = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  'https://ref.gs1.org/standards/epcis/epcis-context.jsonld',
]

type Context = Readonly<Record<'@context', ContextDefinition>>

let official: { readonly context: Context; readonly validator: Validator } | undefined

/** GS1's SHACL shapes, applied to what JSON-LD reads in safe mode, which refuses content that it would have to drop. */
export const shaclJudge: Judge = {
  name: 'JSON-LD safe mode and SHACL (GS1)',
  format: 'epcis',
  missing: () => missingFiles(contextFile, shapesFile),
  takes: isJson,
  async judge({ text }) {
    official ??= load()
    const { context, validator } = official
    try {
      const nquads = await jsonld.toRDF(JSON.parse(text) as JsonLdDocument, optionsWith(context))
      const data = zazuko.dataset(new Parser().parse(String(nquads)))
      const { results } = await validator.validate(data)
      return results.map(({ path, value, message, focusNode }) =>
        [focusNode?.value, path?.value, value?.value, message.map((part) => part.value).join(' ')].join(' '),
      )
    } catch (error) {
      return [`JSON-LD: ${error instanceof Error ? error.message : String(error)}${droppedBy(error)}`]
    }
  },
}

/** The member that safe mode would have to drop. */
function droppedBy(error: unknown): string {
  const { details } = error as { readonly details?: { readonly event?: { readonly details?: unknown } } }
  return details?.event === undefined ? '' : ` ${JSON.stringify(details.event.details)}`
}

function load() {
  const shapes = new Parser().parse(readFileSync(standardsFile(shapesFile), 'utf8'))
  const context: Context = JSON.parse(readFileSync(standardsFile(contextFile), 'utf8'))
  return { context, validator: new Validator(zazuko.dataset(shapes), { factory: zazuko }) }
}

function optionsWith(context: Context): Options.ToRdf & { readonly safe: boolean } {
  return {
    safe: true,
    format: 'application/n-quads',
    documentLoader: async (url) => {
      if (!contexts.includes(url)) throw new Error(`a document may not refer to ${url}`)
      return { documentUrl: url, document: context }
    },
  }
}
