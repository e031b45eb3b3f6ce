import { readFileSync } from 'node:fs'
import zazuko from '@zazuko/env'
import jsonld, { type JsonLdDocument, type NodeObject, type Options } from 'jsonld'
import { Parser } from 'n3'
import Validator from 'rdf-validate-shacl'
import type { Judge, Judged } from '../judge.ts'
import { madeOf, official, together } from '../official.ts'
import { officialContext } from './files.ts'
import { isJson } from './json-schema.ts'

/** Both are answered with the context that the shapes were written for: the published copies differ in one datatype. */
const contexts = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  'https://ref.gs1.org/standards/epcis/epcis-context.jsonld',
]

const shapes = official(['epcis/ontology/EPCIS-SHACL.ttl'], ([file]) => new Parser().parse(readFileSync(file, 'utf8')))

/** GS1's SHACL shapes, applied to what JSON-LD reads in safe mode, which refuses content that it would have to drop. */
export const shaclJudge: Judge<Pick<Judged, 'text'>> = {
  name: 'JSON-LD safe mode and SHACL (GS1)',
  format: 'epcis',
  takes: isJson,
  open: madeOf(together({ context: officialContext, shapes }), ({ context, shapes }) => {
    const validator = new Validator(zazuko.dataset(shapes), { factory: zazuko })
    return async ({ text }) => {
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
    }
  }),
}

/** The member that safe mode would have to drop. */
function droppedBy(error: unknown): string {
  const { details } = error as { readonly details?: { readonly event?: { readonly details?: unknown } } }
  return details?.event === undefined ? '' : ` ${JSON.stringify(details.event.details)}`
}

function optionsWith(context: NodeObject): Options.ToRdf & { readonly safe: boolean } {
  return {
    safe: true,
    format: 'application/n-quads',
    documentLoader: async (url) => {
      if (!contexts.includes(url)) throw new Error(`a document may not refer to ${url}`)
      return { documentUrl: url, document: context }
    },
  }
}
