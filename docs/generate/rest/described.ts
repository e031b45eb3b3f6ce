import type { JsonSchema } from '../../../adapters/http/schema.ts'

/** A route of the description. */
export interface Described {
  readonly path: string
  readonly method: string
  readonly operationId: string
  readonly summary: string
  readonly tags?: readonly string[]
  readonly security: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** Documents by media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** What an address has beside its path, or in it. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}
