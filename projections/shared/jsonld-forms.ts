import type { Representation } from '../../engine/index.ts'
import { flattened } from './jsonld-flat.ts'

/** Expands a document. The function is passed in because its library loads slowly and is rarely needed. */
export type Expand = (document: object) => Promise<object>

/** The most events of a document that is expanded or flattened, which takes 20 to 100 µs an event. */
const maxEvents = 500

/** The URI of a form of JSON-LD in a `profile` parameter (JSON-LD 1.1, section C). */
const form = (name: string) => `http://www.w3.org/ns/json-ld#${name}`

/**
 * The JSON-LD representations of a compacted document. Compacted is also the default, and expanded needs `expand`. The
 * context must have only prefixes, so that the document can be flattened without the library.
 */
export function jsonLdForms<Doc extends { readonly '@context': object }>(
  expand?: Expand,
): readonly Representation<Doc>[] {
  const mediaType = 'application/ld+json'
  const expandedForm: Representation<Doc>[] =
    expand === undefined
      ? []
      : [
          {
            mediaType,
            form: form('expanded'),
            maxEvents,
            write: async (document) => JSON.stringify(await expand(document)),
          },
        ]
  return [
    { mediaType },
    { mediaType, form: form('compacted') },
    ...expandedForm,
    { mediaType, form: form('flattened'), maxEvents, write: (document) => JSON.stringify(flattened(document)) },
  ]
}
