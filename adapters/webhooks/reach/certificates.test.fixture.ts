import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate with its key, both PEM. */
interface Certificate {
  readonly cert: string
  readonly key: string
}

/** The issuer of certificates. */
interface Authority extends Certificate {
  /** A certificate for a host, valid for a year around now unless it `isExpired`. */
  issue(host: string, isExpired?: boolean): Certificate
}

const oids = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
}

const day = 86_400_000

/** Creates a certificate authority. */
export function createAuthority(name: string): Authority {
  const pair = newPair()
  const now = Date.now()
  const cert = certificate({
    subject: name,
    issuer: name,
    publicKey: pair.publicKey,
    signer: pair.privateKey,
    isAuthority: true,
    from: now - day,
    until: now + 365 * day,
  })
  return {
    cert,
    key: pemOf(pair.privateKey),
    issue(host, isExpired = false) {
      const own = newPair()
      const until = isExpired ? now - day : now + 365 * day
      const issued = certificate({
        subject: host,
        issuer: name,
        publicKey: own.publicKey,
        signer: pair.privateKey,
        isAuthority: false,
        from: now - 2 * day,
        until,
      })
      return { cert: issued, key: pemOf(own.privateKey) }
    },
  }
}

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

interface Contents {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly isAuthority: boolean
  /** Epoch milliseconds. */
  readonly from: number
  readonly until: number
}

let serial = 1

/** X.509 version 3 (RFC 5280, 4.1) in DER, as PEM. */
function certificate({ subject, issuer, publicKey, signer, isAuthority, from, until }: Contents): string {
  const algorithm = sequence(oid(oids.ecdsaWithSha256))
  const extension = isAuthority
    ? sequence(oid(oids.basicConstraints), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
    : sequence(oid(oids.subjectAltName), der(0x04, sequence(der(0x82, Buffer.from(subject)))))
  const body = sequence(
    der(0xa0, integer(2)),
    integer(serial++),
    algorithm,
    nameOf(issuer),
    sequence(utcTime(from), utcTime(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer))
  const text = sequence(body, algorithm, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const integer = (value: number) => der(0x02, Buffer.from([value]))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const nameOf = (text: string) => sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(text)))))

function utcTime(instant: number): Buffer {
  const [date = ''] = new Date(instant).toISOString().slice(2).split('.')
  return der(0x17, Buffer.from(`${date.replace(/[-:T]/g, '')}Z`))
}
