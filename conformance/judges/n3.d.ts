/** What the judges use of n3, which brings no types of its own. */
declare module 'n3' {
  import type { Quad } from '@rdfjs/types'

  /** Reads Turtle. */
  export const Parser: new (options?: { readonly baseIRI?: string }) => { parse(text: string): Quad[] }
}
