import jsonld, { type JsonLdDocument } from 'jsonld'
import type { Representation } from '../../engine/index.ts'
import { flattened } from './jsonld-flat.ts'

/** Contexts stand in the documents themselves, so nothing is ever to be fetched. */
const options = {
  documentLoader: (url: string) => Promise.reject(new Error(`A document of ours may not refer to ${url}.`)),
}

/** The URI of a form of JSON-LD in a `profile` parameter (JSON-LD 1.1, section C). */
const form = (name: string) => `http://www.w3.org/ns/json-ld#${name}`

/** The expanded form: absolute IRIs, every value in an array, no context (JSON-LD 1.1 API, section 5.1). */
export async function expanded(document: object): Promise<object> {
  return jsonld.expand(document as JsonLdDocument, options)
}

/**
 * The forms of a document that is in the compacted form to begin with: where none is asked for it stays so. The context
 * must be of prefixes alone, so that the document can be flattened as it stands.
 */
export function jsonLdForms<Doc extends { readonly '@context': object }>(): readonly Representation<Doc>[] {
  const mediaType = 'application/ld+json'
  return [
    { mediaType },
    { mediaType, form: form('compacted') },
    { mediaType, form: form('expanded'), write: async (document) => JSON.stringify(await expanded(document)) },
    { mediaType, form: form('flattened'), write: (document) => JSON.stringify(flattened(document)) },
  ]
}
