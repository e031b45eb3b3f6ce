import type { Profile } from '../../engine/index.ts'
import type { JsonSchema } from '../http/schema.ts'

/** Documents that the REST interface publishes. */
export interface Published {
  /** Every code and phase of these profiles. */
  codebook(profiles: readonly Profile[]): Promise<object>
  /** The JSON Schema of a timeline document. */
  timelineSchema(): Promise<object>
  /** The OpenAPI description of the operations. */
  openapi(): Promise<JsonSchema>
}
