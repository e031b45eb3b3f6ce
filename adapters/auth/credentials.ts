import { createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type Credentials, EngineError } from '../../engine/index.ts'
import type { Secret } from '../secret.ts'

const slow = promisify(scrypt) as (password: string, salt: Uint8Array, length: number, cost: object) => Promise<Buffer>

/** Some 60 ms and 16 MiB a password (OWASP, Password Storage Cheat Sheet). */
const cost = { N: 2 ** 14, r: 8, p: 5 }

/** The credentials of a node; blinding is the same at all nodes that have the same secret. */
export function createCredentials(secret: Secret | undefined): Credentials {
  let key: Uint8Array | undefined

  function blindingKey(): Uint8Array {
    key ??= new Uint8Array(hkdfSync('sha256', secret?.make() ?? new Uint8Array(32), '', 'otep blind', 32))
    return key
  }

  async function matches(password: string, hash: string | undefined): Promise<boolean> {
    const [, salt = '', digest = ''] = (hash ?? nobody).split('$')
    const found = await slow(password, Buffer.from(salt, 'base64'), 32, cost)
    return timingSafeEqual(found, Buffer.from(digest, 'base64')) && hash !== undefined
  }

  return {
    blind: (text) => createHmac('sha256', blindingKey()).update(text).digest('hex'),
    hash: async (password) => {
      const salt = randomBytes(16)
      const digest = await slow(password, salt, 32, cost)
      return `scrypt$${salt.toString('base64')}$${digest.toString('base64')}`
    },
    matches,
    identify: async () => {
      throw new EngineError('invalid_id_token')
    },
    token: () => randomBytes(32).toString('hex'),
    attempts: { admit: () => {}, fail: () => {}, clear: () => {} },
  }
}

/** What a password is compared with where there is no account. */
const nobody = `scrypt$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`
