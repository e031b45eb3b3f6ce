import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'

/** An identity provider on this machine, with its own keys. */
export interface Issuer {
  readonly issuer: string
  /** Requests for its document and for its keys so far. */
  readonly asked: { discovery: number; keys: number }
  /** The public key that it publishes, as PEM. */
  publicKey(): Promise<string>
  /** An ID token with these claims and header, signed with the current key. */
  sign(claims: object, header?: object): Promise<string>
  /** An ID token signed with an ES256 key that it also publishes. */
  signElliptic(claims: object): Promise<string>
  /** Replaces its key. */
  rotate(): Promise<void>
  /** Changes its responses: another issuer in its document, a redirect, an oversized response, or keys elsewhere. */
  misbehave(how: 'other-issuer' | 'redirect' | 'flood' | 'down' | undefined): void
  close(): Promise<void>
}

interface Pair {
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
}

/** Starts an identity provider. */
export async function startIssuer(): Promise<Issuer> {
  let number = 1
  let rsa: Pair = await generateKeyPair('RS256', { extractable: true })
  const elliptic: Pair = await generateKeyPair('ES256', { extractable: true })
  let fault: Parameters<Issuer['misbehave']>[0]
  const asked = { discovery: 0, keys: 0 }

  async function keySet(): Promise<{ keys: readonly JWK[] }> {
    const common = { use: 'sig' }
    return {
      keys: [
        { ...(await exportJWK(rsa.publicKey)), ...common, kid: `rsa-${number}`, alg: 'RS256' },
        { ...(await exportJWK(elliptic.publicKey)), ...common, kid: 'ec', alg: 'ES256' },
      ],
    }
  }

  const server = createServer(async (request, response): Promise<unknown> => {
    const isDocument = request.url === '/.well-known/openid-configuration'
    asked[isDocument ? 'discovery' : 'keys']++
    if (fault === 'down') return response.writeHead(500).end()
    if (fault === 'redirect') return response.writeHead(302, { Location: `${issuer}/elsewhere` }).end()
    if (fault === 'flood') return response.end(' '.repeat(300_000))
    const told = fault === 'other-issuer' ? 'https://other.example' : issuer
    return response.end(JSON.stringify(isDocument ? { issuer: told, jwks_uri: `${issuer}/keys` } : await keySet()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    asked,
    publicKey: () => exportSPKI(rsa.publicKey),
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: `rsa-${number}`, ...header })
        .sign(rsa.privateKey),
    signElliptic: (claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'ec' }).sign(elliptic.privateKey),
    rotate: async () => {
      rsa = await generateKeyPair('RS256', { extractable: true })
      number++
    },
    misbehave: (how) => {
      fault = how
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
