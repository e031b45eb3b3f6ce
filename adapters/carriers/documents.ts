import type { CarrierLabel } from '../../engine/index.ts'

type MediaType = NonNullable<CarrierLabel['document']>['media_type']

/** What is in the documents of each media type, and how far from their beginning at most. */
const signs: Readonly<Record<MediaType, { readonly sign: Buffer; readonly within: number }>> = {
  'application/pdf': { sign: Buffer.from('%PDF-'), within: 1024 },
  'application/zpl': { sign: Buffer.from('^XA'), within: Number.MAX_SAFE_INTEGER },
  'image/png': { sign: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), within: 0 },
}

/** Whether a document in base64 looks like what it is said to be: a page of a server that is in the way does not. */
export function isDocument(content: string, mediaType: MediaType): boolean {
  const { sign, within } = signs[mediaType]
  const place = Buffer.from(content, 'base64').indexOf(sign)
  return place >= 0 && place <= within
}
