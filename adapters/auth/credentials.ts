import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Credentials, Leases } from '../../engine/index.ts'
import { keyLength, openText, type SecretKey, sealText, secretKeyOf } from '../node/cipher.ts'
import { type Limits, localSource } from '../node/limits.ts'
import { once } from '../node/once.ts'
import type { Secret } from '../node/secret.ts'
import { createAttempts } from './attempts.ts'
import { createPasswords, type PasswordCost } from './passwords.ts'
import { createAuthenticators, createPasskeys } from './second-factor.ts'
import { createCountTry } from './tries.ts'
import { weaknessOf } from './weak-passwords.ts'

/** Dependencies of the credentials. */
interface CredentialOptions {
  /** Nodes with the same secret blind alike. Without a secret, blinding does not protect guessable values. */
  readonly secret: Secret | undefined
  readonly clock: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  readonly limits: Limits
  /** Where tries are counted, for all nodes of the store. */
  readonly leases: Leases
  /** The current cost if absent. */
  readonly passwordCost?: PasswordCost | undefined
}

const sealPurpose = 'sealed text'

/** Creates the credentials of a node. */
export function createCredentials({ secret, limits, leases, passwordCost, ...clocks }: CredentialOptions): Credentials {
  const identify = once(async () => (await import('./identity.ts')).createIdentify(clocks))
  const keys: { blind?: SecretKey; sign?: SecretKey; seal?: SecretKey } = {}
  const derive = (bytes: Uint8Array, use: string) =>
    secretKeyOf(new Uint8Array(hkdfSync('sha256', bytes, '', use, keyLength)))

  function blindingKey(): SecretKey {
    keys.blind ??= derive(secret?.make() ?? new Uint8Array(keyLength), 'otep blind')
    return keys.blind
  }

  /** Without a secret, signatures are valid until the process ends. */
  function signingKey(): SecretKey {
    keys.sign ??= derive(secret?.make() ?? randomBytes(keyLength), 'otep sign')
    return keys.sign
  }

  /** Without a secret, what is sealed can be read until the process ends. */
  function sealingKey(): SecretKey {
    keys.seal ??= derive(secret?.make() ?? randomBytes(keyLength), 'otep seal')
    return keys.seal
  }

  const signatureOf = (text: string) => createHmac('sha256', signingKey()).update(text).digest('base64url')

  return {
    blind: (text) => createHmac('sha256', blindingKey()).update(text).digest('hex'),
    sign: signatureOf,
    isSigned: (text, signature) => {
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(text))]
      return given.length === right.length && timingSafeEqual(given, right)
    },
    seal: (text) => sealText(sealingKey(), sealPurpose, text),
    unseal: (sealed) => {
      try {
        return openText(sealingKey(), sealPurpose, sealed)
      } catch {
        return undefined
      }
    },
    guess: (thing, source = localSource, isRight) => {
      const key = `${thing}\0${source}`
      limits.requireToken('guesses', key)
      if (!isRight) {
        limits.charge('guesses', key, 1)
        limits.charge('misses', source, 1)
      }
      return isRight
    },
    weakness: weaknessOf,
    ...createPasswords(passwordCost),
    identify: async (...asked) => (await identify())(...asked),
    token: () => randomBytes(32).toString('hex'),
    attempts: { ...createAttempts(clocks.now, limits), countTry: createCountTry(leases, clocks.clock) },
    authenticators: createAuthenticators(),
    passkeys: createPasskeys(),
  }
}
