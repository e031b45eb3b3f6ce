import type { FileType } from '../../../kernel/files.ts'

/** The size of an image in pixels. */
interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size that an image declares, by the headers of its type; undefined if it declares none. No pixel is decoded. */
export function imageSizeOf(type: FileType, bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = readers[type]?.(view)
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The image ends before its size.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readers: Readonly<Partial<Record<FileType, (view: DataView) => ImageSize | undefined>>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** The first chunk of a PNG is IHDR (ISO/IEC 15948, 5.6). */
function pngSize(view: DataView): ImageSize | undefined {
  if (textAt(view, 12) !== 'IHDR') return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** The frame header of a JPEG (ITU-T T.81, B.2.2) comes after segments that each say how long they are. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    if (marker === 0xda || view.getUint16(at + 2) < 2) return undefined
  }
}

/** The three kinds of WebP (RFC 9649, 2.5 to 2.7). */
function webpSize(view: DataView): ImageSize | undefined {
  switch (textAt(view, 12)) {
    case 'VP8X':
      return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return undefined
  }
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(at + place)))
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
