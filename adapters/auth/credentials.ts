import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Credentials } from '../../engine/index.ts'
import type { Limits } from '../node/limits.ts'
import { once } from '../node/once.ts'
import type { Secret } from '../node/secret.ts'
import { createAttempts } from './attempts.ts'
import { createPasswords, type PasswordCost } from './passwords.ts'
import { createPasswordJudge } from './weak-passwords.ts'

/** Dependencies of the credentials. */
export interface CredentialOptions {
  /** Nodes with the same secret blind alike. Without a secret, blinding does not protect guessable values. */
  readonly secret: Secret | undefined
  readonly clock: () => number
  readonly limits: Limits
  /** The current cost if absent. */
  readonly passwordCost?: PasswordCost | undefined
}

/** Creates the credentials of a node. */
export function createCredentials({ secret, clock, limits, passwordCost }: CredentialOptions): Credentials {
  const identify = once(async () => (await import('./identity.ts')).createIdentify({ clock }))
  let key: Uint8Array | undefined

  function blindingKey(): Uint8Array {
    key ??= new Uint8Array(hkdfSync('sha256', secret?.make() ?? new Uint8Array(32), '', 'otep blind', 32))
    return key
  }

  return {
    blind: (text) => createHmac('sha256', blindingKey()).update(text).digest('hex'),
    weakness: createPasswordJudge(),
    ...createPasswords(passwordCost),
    identify: async (idToken, provider) => (await identify())(idToken, provider),
    token: () => randomBytes(32).toString('hex'),
    attempts: createAttempts(clock, limits),
  }
}
