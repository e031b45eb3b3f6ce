import * as v from 'valibot'
import { messageSchema } from './message-schema.ts'
import { vocabularySchema } from './vocabulary-schema.ts'

/** The options: which of the two forms of UN/CEFACT a document takes; the vocabulary by default. */
export const optionsSchema = v.strictObject({
  dialect: v.exactOptional(
    v.pipe(
      v.picklist(['vocabulary', 'message']),
      v.description('`vocabulary`: JSON-LD; `message`: MultimodalTransportConsignmentStatusReport.'),
    ),
  ),
})

/** A document in either form. */
export const documentSchema = v.union([vocabularySchema, messageSchema])

/** A document in either form. */
export type Uncefact = v.InferOutput<typeof documentSchema>
