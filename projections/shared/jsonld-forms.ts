import type { Representation } from '../../engine/index.ts'
import { flattened } from './jsonld-flat.ts'

/** Makes the expanded form of a document. It is passed in, because its library takes long to load and few ask for it. */
export type Expand = (document: object) => Promise<object>

/** The URI of a form of JSON-LD in a `profile` parameter (JSON-LD 1.1, section C). */
const form = (name: string) => `http://www.w3.org/ns/json-ld#${name}`

/**
 * The forms of a document that is in the compacted form to begin with: where none is asked for it stays so. The context
 * must be of prefixes alone, so that the document can be flattened as it stands.
 */
export function jsonLdForms<Doc extends { readonly '@context': object }>(
  expand: Expand,
): readonly Representation<Doc>[] {
  const mediaType = 'application/ld+json'
  return [
    { mediaType },
    { mediaType, form: form('compacted') },
    { mediaType, form: form('expanded'), write: async (document) => JSON.stringify(await expand(document)) },
    { mediaType, form: form('flattened'), write: (document) => JSON.stringify(flattened(document)) },
  ]
}
