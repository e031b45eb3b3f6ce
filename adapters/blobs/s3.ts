import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { EngineError } from '../../engine/index.ts'
import type { BlobStore, BucketAddress, KeptBlob } from '../node/blobs.ts'
import { refuseOtherName } from './name.ts'

/** Milliseconds that a request may take. */
const patience = 30_000

/** The largest answer in bytes: a sealed file, or a page of names. */
const largestAnswer = 16 * 1024 * 1024

/** Blobs in a bucket of a store that speaks the protocol of S3. An object appears whole, and is durable when the put is answered. */
export function createS3Blobs({ url, ...keys }: BucketAddress): BlobStore {
  // Retries are the caller's: a request that fails is refused, and may be sent again.
  const client = new AwsClient({ ...keys, service: 's3', retries: 0 })
  const { origin, pathname } = new URL(url)
  const [, bucket = '', ...prefixes] = pathname.split('/')
  const prefix = prefixes.map((part) => `${part}/`).join('')

  async function ask(method: string, address: string, body?: Uint8Array): Promise<Response> {
    const headers = { 'X-Amz-Content-Sha256': sha256(body ?? new Uint8Array()) }
    const signed = { method, headers, signal: AbortSignal.timeout(patience), ...(body && { body: Buffer.from(body) }) }
    const response = await client.fetch(address, signed).catch((error: Error) => {
      throw new EngineError('files_unavailable', { reason: error.name })
    })
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new EngineError('files_unavailable', { reason: `HTTP ${response.status}` })
  }

  const addressOf = (name: string) => {
    refuseOtherName(name)
    return `${origin}/${bucket}/${prefix}${name}`
  }

  async function page(group: string | undefined, token: string | undefined) {
    const query = new URLSearchParams({ 'list-type': '2', prefix: group === undefined ? prefix : `${prefix}${group}/` })
    if (token !== undefined) query.set('continuation-token', token)
    const response = await ask('GET', `${origin}/${bucket}?${query}`)
    if (response.status === 404) throw new EngineError('files_unavailable', { reason: 'HTTP 404' })
    return Buffer.from(await bytesOf(response)).toString()
  }

  return {
    put: async (name, bytes) => {
      const response = await ask('PUT', addressOf(name), bytes)
      await response.body?.cancel()
      if (response.status === 404) throw new EngineError('files_unavailable', { reason: 'HTTP 404' })
    },
    get: async (name) => {
      const response = await ask('GET', addressOf(name))
      if (response.status !== 404) return bytesOf(response)
      // A missing object is none, but a missing bucket is a wrong setting.
      const answer = Buffer.from(await bytesOf(response)).toString()
      if (answer.includes('NoSuchBucket')) throw new EngineError('files_unavailable', { reason: 'NoSuchBucket' })
      return undefined
    },
    remove: async (name) => {
      const response = await ask('DELETE', addressOf(name))
      await response.body?.cancel()
    },
    async *list(group) {
      if (group !== undefined) refuseOtherName(`${group}/x`)
      let token: string | undefined
      do {
        const answer = await page(group, token)
        for (const blob of blobsIn(answer)) yield { ...blob, name: blob.name.slice(prefix.length) }
        token = textOf(answer, 'NextContinuationToken')
      } while (token !== undefined)
    },
  }
}

/** The objects in a page of ListObjectsV2. Names of ours have no character that XML escapes. */
function* blobsIn(page: string): Generator<KeptBlob> {
  for (const [, object = ''] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const [name, since] = [textOf(object, 'Key'), Date.parse(textOf(object, 'LastModified') ?? '')]
    if (name !== undefined && !Number.isNaN(since)) yield { name, since }
  }
}

function textOf(xml: string, element: string): string | undefined {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? []
  return text?.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of response.body ?? []) {
      length += part.length
      if (length > largestAnswer) throw new Error('too large')
      parts.push(part)
    }
  } catch (error) {
    throw new EngineError('files_unavailable', { reason: (error as Error).name })
  }
  return Buffer.concat(parts)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
