import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Authenticators, Passkey, PasskeyOptions, Passkeys } from '../../engine/index.ts'
import { once } from '../node/once.ts'
import { optional } from '../node/optional.ts'

/** What authenticator apps know by heart: SHA-1, six digits, 30 seconds. Some take nothing else, and do not say so. */
const known = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Bytes of a secret (RFC 4226, section 4: at least 16, better 20). */
const secretSize = 20

/** Codes of authenticator apps. The package is loaded with the first one. */
export function createAuthenticators(): Authenticators {
  const load = once(() => import('otpauth'))
  return {
    create: async ({ issuer, account }) => {
      const { Secret, TOTP } = await load()
      const secret = new Secret({ size: secretSize })
      return { secret: secret.base32, uri: new TOTP({ ...known, issuer, label: account, secret }).toString() }
    },
    stepOf: async (secret, code, instant) => {
      const { Secret, TOTP } = await load()
      const asked = { ...known, secret: Secret.fromBase32(secret), timestamp: instant }
      const delta = TOTP.validate({ ...asked, token: code, window: 1 })
      return delta === null ? undefined : TOTP.counter(asked) + delta
    },
  }
}

const webAuthn = '@simplewebauthn/server'

/** Whether the package that checks passkeys is installed; it is loaded with the first one. */
function checksPasskeys(): boolean {
  try {
    import.meta.resolve(webAuthn)
    return true
  } catch {
    return false
  }
}

/** Passkeys; undefined without their package, which is an optional peer. */
export function createPasskeys(): Passkeys | undefined {
  if (!checksPasskeys()) return undefined
  const load = once(() => optional('Passkeys', webAuthn, () => import('@simplewebauthn/server')))
  return {
    creation: async ({ baseUrl, challenge, account, name, known: passkeys }) => {
      const { generateRegistrationOptions } = await load()
      const { rpID } = partyOf(baseUrl)
      const user = { userID: bytesOf(String(account)), userName: name, userDisplayName: name }
      const options = await generateRegistrationOptions({
        ...{ rpName: rpID, rpID, ...user, challenge: bytesOf(challenge) },
        attestationType: 'none',
        excludeCredentials: passkeys.map(described),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        timeout,
      })
      return options as unknown as PasskeyOptions
    },
    created: async ({ baseUrl, challenge, answer }) => {
      const { verifyRegistrationResponse } = await load()
      const expected = expectedOf(baseUrl, challenge)
      const response = answer as RegistrationResponseJSON
      const checked = await orUndefined(() => verifyRegistrationResponse({ response, ...expected }))
      if (checked?.verified !== true) return undefined
      const { id: credential, publicKey, counter, transports = [] } = checked.registrationInfo.credential
      return { credential, public_key: Buffer.from(publicKey).toString('base64url'), counter, transports }
    },
    request: async ({ baseUrl, challenge, known: passkeys }) => {
      const { generateAuthenticationOptions } = await load()
      const { rpID } = partyOf(baseUrl)
      const allowed = passkeys.length === 0 ? {} : { allowCredentials: passkeys.map(described) }
      const asked = { rpID, challenge: bytesOf(challenge), userVerification: 'required', timeout, ...allowed } as const
      return (await generateAuthenticationOptions(asked)) as unknown as PasskeyOptions
    },
    used: async ({ baseUrl, challenge, answer, passkey }) => {
      const { verifyAuthenticationResponse } = await load()
      const { credential: id, public_key, counter } = passkey
      const credential = { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter }
      const asked = { response: answer as AuthenticationResponseJSON, credential, ...expectedOf(baseUrl, challenge) }
      const checked = await orUndefined(() => verifyAuthenticationResponse(asked))
      return checked?.verified === true ? checked.authenticationInfo.newCounter : undefined
    },
  }
}

/** Milliseconds that a browser waits for its owner. */
const timeout = 120_000

/** This server as browsers see it: passkeys are for its host alone (WebAuthn, level 3, 5.1.2). */
function partyOf(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl)
  return { rpID: hostname, origin }
}

function expectedOf(baseUrl: string, challenge: string) {
  const { rpID, origin } = partyOf(baseUrl)
  const expectedChallenge = Buffer.from(bytesOf(challenge)).toString('base64url')
  return { expectedChallenge, expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

function described({ credential: id, transports }: Passkey) {
  return { id, transports: transports as AuthenticatorTransport[] }
}

/** The package throws whatever is wrong with an answer, which is for its sender to say: here it is just not right. */
async function orUndefined<Checked>(check: () => Promise<Checked>): Promise<Checked | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}
