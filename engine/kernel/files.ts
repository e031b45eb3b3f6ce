import type { StreamName } from './stream.ts'

/** The name of an uploaded file: the stream that it belongs to, and 32 hexadecimal digits with the ending of its type. */
export type FileName = `${StreamName}/${string}`

/** A file that is kept, and since when (epoch milliseconds). */
export interface KeptFile {
  readonly name: FileName
  readonly since: number
}

/**
 * Uploaded files. Each is sealed with the key of the stream that it belongs to, so nobody can read it any more once the
 * personal data of that stream is erased. Throws `files_unavailable` if they cannot be reached.
 */
export interface Files {
  /** Keeps a file, given in base64, under a new name; it is durable then. False if the key of the stream is destroyed. */
  keep(name: FileName, content: string): Promise<boolean>
  /** The bytes of a file; undefined if there is none, or if the key of its stream is destroyed. */
  read(name: FileName): Promise<Uint8Array | undefined>
  /** Removes a file. Does nothing if there is none. */
  remove(name: FileName): Promise<void>
  /** All files, or those of a stream, those of a stream together. */
  list(stream?: StreamName): AsyncIterable<KeptFile>
}

/** The types of files that can be uploaded. */
export const fileTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

/** One of the types. */
export type FileType = (typeof fileTypes)[number]

const endings: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

const namePattern = /^([a-z_]{1,40}-[a-z0-9]{1,40})\/[0-9a-f]{32}\.([a-z]{3,4})$/

/** The name of a file of a stream; `hex` is 32 hexadecimal digits. */
export function fileNameOf(stream: StreamName, hex: string, type: FileType): FileName {
  return `${stream}/${hex}.${endings[type]}`
}

/** What a name says; undefined if it is none. */
export function parsedFileName(
  text: string,
): { readonly name: FileName; readonly stream: StreamName; readonly type: FileType } | undefined {
  const [, stream, ending] = namePattern.exec(text) ?? []
  const type = fileTypes.find((one) => endings[one] === ending)
  if (stream === undefined || type === undefined) return undefined
  return { name: text as FileName, stream: stream as StreamName, type }
}

const beginnings: readonly (readonly [FileType, RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
]

/** The type of a file, given in base64, by how it begins; undefined if it is of no accepted type. */
export function fileTypeOf(content: string): FileType | undefined {
  const start = atob(content.slice(0, 24))
  return beginnings.find(([, pattern]) => pattern.test(start))?.[0]
}
