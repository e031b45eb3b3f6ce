import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and its self-signed certificate, both in PEM. */
export interface Certificate {
  readonly key: string
  readonly certificate: string
}

/** The DER tags (X.690) of a certificate. */
const tags = { integer: 0x02, bits: 0x03, bytes: 0x04, oid: 0x06, utf8: 0x0c, time: 0x17, sequence: 0x30, set: 0x31 }

const signedWithEcdsa = sequence(der(tags.oid, Buffer.from('2a8648ce3d040302', 'hex')))
const commonName = der(tags.oid, Buffer.from('550403', 'hex'))
const alternativeName = der(tags.oid, Buffer.from('551d11', 'hex'))
const day = 86_400_000

/** Makes a certificate of 127.0.0.1 that is good for a day before and after `now` (RFC 5280). */
export function createCertificate(now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = sequence(
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, Buffer.from([1])),
    signedWithEcdsa,
    name('EventStoreDB double'),
    sequence(time(now - day), time(now + day)),
    name('EventStoreDB double'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(loopbackAddress())),
  )
  const signature = der(tags.bits, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = sequence(body, signedWithEcdsa, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function loopbackAddress(): Buffer {
  return sequence(alternativeName, der(tags.bytes, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))
}

function name(text: string): Buffer {
  return sequence(der(tags.set, sequence(commonName, der(tags.utf8, Buffer.from(text)))))
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, '').slice(2, 14)
  return der(tags.time, Buffer.from(`${digits}Z`))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(tags.sequence, ...parts)
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
