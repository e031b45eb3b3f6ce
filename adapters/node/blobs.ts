import { join } from 'node:path'

/** Bytes under a name, and since when they are kept (epoch milliseconds). */
export interface KeptBlob {
  readonly name: string
  readonly since: number
}

/**
 * Where the bytes of files lie. A name is `GROUP/NAME`, both of `a-z 0-9 _ . -`. Every implementation passes the suite in
 * adapters/blobs/blobs.test.ts. Throws `files_unavailable` if it cannot be reached.
 */
export interface BlobStore {
  /** Keeps bytes; they are durable then, and nobody ever sees a part of them. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** The bytes under a name; undefined if there are none. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Removes the bytes under a name. Does nothing if there are none. */
  remove(name: string): Promise<void>
  /** All names, or those of a group, those of a group together. */
  list(group?: string): AsyncIterable<KeptBlob>
}

/** Seals files with the keys of their streams. */
export interface FileVault {
  /** Seals with the key of a subject, which is made if there was none; undefined after it was forgotten. */
  sealFile(subject: string, label: string, bytes: Uint8Array): Promise<Uint8Array | undefined>
  /** Opens what was sealed; undefined if there is no key. Throws if the bytes were changed or sealed with another key. */
  openFile(subject: string, label: string, bytes: Uint8Array): Promise<Uint8Array | undefined>
}

/** Where uploaded files lie: in memory, in a directory, or in a bucket of a store that speaks the protocol of S3. */
export type BlobAddress =
  | { readonly kind: 'memory' }
  | { readonly kind: 'directory'; readonly directory: string }
  | ({ readonly kind: 's3' } & BucketAddress)

/** A bucket and how to reach it. */
export interface BucketAddress {
  /** The URL of the bucket, with the beginning of all names, without a slash at the end. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/**
 * `OTEP_BLOBS`: a directory, or `s3://BUCKET/PREFIX?region=...&endpoint=...` with the keys of the AWS variables. If not set, files
 * lie in the home directory of the store; in memory if it has none.
 */
export function blobsFrom(env: Readonly<Record<string, string | undefined>>, home: string | undefined): BlobAddress {
  const address = env.OTEP_BLOBS
  if (address?.startsWith('s3:')) return { kind: 's3', ...bucketFrom(address, env) }
  if (address && /^[a-z][a-z0-9+.-]+:/.test(address)) throw new Error('OTEP_BLOBS must be a directory or s3://BUCKET.')
  if (address) return { kind: 'directory', directory: address }
  return home === undefined ? { kind: 'memory' } : { kind: 'directory', directory: join(home, 'blobs') }
}

function bucketFrom(address: string, env: Readonly<Record<string, string | undefined>>): BucketAddress {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env
  const [, bucket, prefix = '', query] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?(?:\?(.*))?$/.exec(address) ?? []
  const { region = env.AWS_REGION, endpoint, ...others } = Object.fromEntries(new URLSearchParams(query))
  if (bucket === undefined || Object.keys(others).length > 0 || !/^[a-z0-9-]{1,40}$/.test(region ?? ''))
    throw new Error('OTEP_BLOBS must be s3://BUCKET/PREFIX?region=REGION, and endpoint=URL where it is not AWS.')
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw new Error('OTEP_BLOBS: endpoint must be a URL such as https://storage.example.com.')
  if (!accessKeyId || !secretAccessKey) throw new Error('OTEP_BLOBS needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const host = endpoint?.replace(/\/$/, '') ?? `https://s3.${region}.amazonaws.com`
  const keys = { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}) }
  return { url: `${host}/${bucket}${prefix}`, region: region ?? '', ...keys }
}
