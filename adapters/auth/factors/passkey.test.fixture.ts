import { createHash, generateKeyPairSync } from 'node:crypto'

/** An authenticator without hardware: it makes passkeys with an id that the test chooses, without attestation. */
export function createdPasskey(options: { readonly challenge: string }, id: Buffer, origin: string) {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  // COSE (RFC 9053, 7.1): an EC2 key of ES256 on P-256.
  const key = Buffer.concat([
    ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
    ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
  ])
  const party = createHash('sha256').update(new URL(origin).hostname).digest()
  // Present, verified, with a credential; no counter, no model (WebAuthn, level 3, 6.1 and 6.5.1).
  const head = Buffer.concat([party, Buffer.from([0x45]), Buffer.alloc(4), Buffer.alloc(16)])
  const data = Buffer.concat([head, Buffer.from([0, id.length]), id, key])
  // CBOR of {fmt: 'none', attStmt: {}, authData: data}.
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
    ...[Buffer.from([0x58, data.length]), data],
  ])
  const client = JSON.stringify({ type: 'webauthn.create', challenge: options.challenge, origin })
  return {
    ...{ id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' },
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(client).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    },
  }
}
