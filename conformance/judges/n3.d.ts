/** The parts of n3 that the judges use; it has no types of its own. */
declare module 'n3' {
  import type { Quad } from '@rdfjs/types'

  /** Reads Turtle. */
  export const Parser: new (options?: { readonly baseIRI?: string }) => { parse(text: string): Quad[] }
}
