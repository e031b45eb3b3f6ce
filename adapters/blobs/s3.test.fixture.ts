import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import type { Test } from 'tap'
import type { BucketAddress } from '../node/blobs.ts'

const region = 'eu-west-9'
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

/** A store that speaks the protocol of S3, and accepts only what AWS's own signer signs alike. */
export async function startBucket(t: Test, pageSize = 2) {
  const objects = new Map<string, { readonly bytes: Buffer; readonly since: Date }>()
  const refused: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    if (!(await isSignedRightly(request, body))) {
      refused.push(`${request.method} ${request.url}`)
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3.test')
    const [, bucket, ...rest] = pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (bucket !== 'proofs') response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>')
    else if (request.method === 'PUT') {
      objects.set(key, { bytes: body, since: new Date() })
      response.writeHead(200).end()
    } else if (request.method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
    } else if (key === '') response.writeHead(200).end(listed(searchParams))
    else if (objects.has(key)) response.writeHead(200).end(objects.get(key)?.bytes)
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  })

  function listed(query: URLSearchParams): string {
    const [prefix = '', after = ''] = [query.get('prefix') ?? '', query.get('continuation-token') ?? '']
    const all = [...objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = all.slice(0, pageSize)
    const next = page.length < all.length ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
    const contents = page.map(
      ([key, { since }]) => `<Contents><Key>${key}</Key><LastModified>${since.toISOString()}</LastModified></Contents>`,
    )
    return `<?xml version="1.0"?><ListBucketResult>${next}${contents.join('')}</ListBucketResult>`
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address: BucketAddress = { url: `${origin}/proofs/otep`, region, ...keys }
  return { origin, address, keys, region, objects, refused }
}

/** Signs the request again with AWS's own signer, and compares. */
async function isSignedRightly({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Promise<boolean> {
  const hash = new Sha256()
  hash.update(body)
  if (headers['x-amz-content-sha256'] !== Buffer.from(await hash.digest()).toString('hex')) return false
  const { authorization = '' } = headers
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(authorization) ?? []
  const { pathname, searchParams } = new URL(url, 'http://s3.test')
  const signer = new SignatureV4({ credentials: keys, region, service: 's3', sha256: Sha256, uriEscapePath: false })
  const signed = names.split(';').map((name) => [name, String(headers[name])] as const)
  const date = String(headers['x-amz-date'])
  const at = new Date(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const request = {
    ...{ method, protocol: 'http:', hostname: String(headers.host), path: pathname },
    ...{ query: Object.fromEntries(searchParams), headers: Object.fromEntries(signed), body },
  }
  const again = await signer.sign(request, { signingDate: at, signableHeaders: new Set(names.split(';')) })
  const signatureIn = (text = '') => /Signature=([0-9a-f]{64})/.exec(text)?.[1]
  return (
    signatureIn(authorization) !== undefined && signatureIn(again.headers.authorization) === signatureIn(authorization)
  )
}
