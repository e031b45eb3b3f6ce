import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { EngineError } from '../../engine/index.ts'
import { createFairQueue } from '../node/fair-queue.ts'
import { localSource } from '../node/limits.ts'

/** Cost of a hash (scrypt, RFC 7914): 128 * N * r bytes of memory, p times in sequence. */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** About 60 ms and 16 MiB per password (OWASP, Password Storage Cheat Sheet). */
const today: PasswordCost = { N: 2 ** 14, r: 8, p: 5 }

/** Concurrent hashes, which leave threads of the pool for the disk, and the maximum number of waiting ones. */
const bounds = { running: 2, runningOfOne: 2, waiting: 500, waitingOfOne: 20 }

/** The same for accounts at places where they have signed in before. */
const boundsOfKnown = { ...bounds, running: 1, runningOfOne: 1 }

/** Slow hashes of passwords. */
interface Passwords {
  hash(password: string, source?: string): Promise<string>
  matches(password: string, hash: string | undefined, source?: string, known?: string): Promise<boolean>
}

/**
 * Creates and compares hashes. Each hash names its cost, so hashes of earlier costs remain valid. Sources take turns, and so do
 * known accounts, which have a separate queue; throws `too_busy` if too many wait.
 */
export function createPasswords(cost: PasswordCost = today): Passwords {
  const queue = createFairQueue(bounds)
  const queueOfKnown = createFairQueue(boundsOfKnown)
  /** Compared with the password if there is no account, so that both cases take the same time. */
  const nobody = textOf(cost, Buffer.alloc(16), Buffer.alloc(32))

  return {
    hash: (password, source = localSource) =>
      queue.run(source, async () => {
        const salt = randomBytes(16)
        return textOf(cost, salt, await digestOf(password, salt, cost))
      }),
    matches: (password, hash, source = localSource, known) =>
      (known === undefined ? queue : queueOfKnown).run(known ?? source, async () => {
        const parts = partsOf(hash ?? nobody)
        const found = await digestOf(password, parts.salt, parts.cost)
        return timingSafeEqual(found, parts.digest) && hash !== undefined
      }),
  }
}

/** Normalizes the password, because one text can be typed in several ways (Unicode, NFKC; NIST SP 800-63B, 5.1.1.2). */
function digestOf(password: string, salt: Uint8Array, { N, r, p }: PasswordCost): Promise<Buffer> {
  const options = { N, r, p, maxmem: 256 * r * (N + p) }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, digest) => (error ? reject(error) : resolve(digest)))
  })
}

function textOf({ N, r, p }: PasswordCost, salt: Buffer, digest: Buffer): string {
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${salt.toString('base64')}$${digest.toString('base64')}`
}

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/

function partsOf(hash: string) {
  const [, ln, r, p, salt = '', digest = ''] = form.exec(hash) ?? []
  if (ln === undefined) throw new EngineError('internal', { request: 'a hash of a password in another form' })
  return {
    cost: { N: 2 ** Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    digest: Buffer.from(digest, 'base64'),
  }
}
