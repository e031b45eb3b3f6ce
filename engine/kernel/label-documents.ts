import * as v from 'valibot'
import { word } from './schemas.ts'

/** Where a carrier has the document of a label. */
export const labelDocument = v.strictObject({
  reference: v.pipe(word(2000), v.description('As the carrier calls the document.')),
  media_type: v.picklist(['application/pdf', 'application/zpl', 'image/png']),
})

/** Customs documents, which a carrier or this server makes. */
export const customsDocumentKinds = ['cn22', 'cn23', 'commercial_invoice'] as const

/** Where a carrier has the customs document of a label. */
export const customsDocument = v.strictObject({
  ...labelDocument.entries,
  kind: v.pipe(v.picklist(customsDocumentKinds), v.description('What kind of customs document it is.')),
})
