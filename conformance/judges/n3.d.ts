/** The parts of n3 that the judges use; n3 comes without types. */
declare module 'n3' {
  import type { Quad } from '@rdfjs/types'

  /** Reads Turtle. */
  export const Parser: new (options?: { readonly baseIRI?: string }) => { parse(text: string): Quad[] }
}
