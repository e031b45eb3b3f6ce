import jsonld, { type JsonLdDocument } from 'jsonld'

/** Documents hold their own contexts, so the library never fetches anything. */
const options = {
  documentLoader: (url: string) => Promise.reject(new Error(`A document of ours may not refer to ${url}.`)),
}

/** The expanded form: absolute IRIs, every value in an array, no context (JSON-LD 1.1 API, section 5.1). */
export async function expanded(document: object): Promise<object> {
  return jsonld.expand(document as JsonLdDocument, options)
}
