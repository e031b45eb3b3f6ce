import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { EngineError } from '../../engine/index.ts'

/** Cost of a hash (scrypt, RFC 7914): 128 * N * r bytes of memory, p times in sequence. */
export interface PasswordCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** About 60 ms and 16 MiB per password (OWASP, Password Storage Cheat Sheet). */
const today: PasswordCost = { N: 2 ** 14, r: 8, p: 5 }

/** Concurrent hashes, which leave threads of the pool for the disk, and the maximum number of waiting ones. */
const bounds = { running: 2, waiting: 100 }

/** Slow hashes of passwords. */
export interface Passwords {
  hash(password: string): Promise<string>
  matches(password: string, hash: string | undefined): Promise<boolean>
}

/** Creates and compares hashes. Each hash names its cost, so hashes of earlier costs remain valid. */
export function createPasswords(cost: PasswordCost = today): Passwords {
  const inTurn = createTurns(bounds)
  /** Compared with the password if there is no account, so that both cases take the same time. */
  const nobody = textOf(cost, Buffer.alloc(16), Buffer.alloc(32))

  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(16)
        return textOf(cost, salt, await digestOf(password, salt, cost))
      }),
    matches: (password, hash) =>
      inTurn(async () => {
        const known = partsOf(hash ?? nobody)
        const found = await digestOf(password, known.salt, known.cost)
        return timingSafeEqual(found, known.digest) && hash !== undefined
      }),
  }
}

/** Limits concurrency; throws `too_busy` if too many wait. */
export function createTurns({ running, waiting }: { readonly running: number; readonly waiting: number }) {
  const line: (() => void)[] = []
  let free = running

  async function turn() {
    if (free > 0) return void free--
    if (line.length >= waiting) throw new EngineError('too_busy')
    return new Promise<void>((resolve) => line.push(resolve))
  }

  function pass() {
    const next = line.shift()
    if (next === undefined) free++
    else next()
  }

  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    await turn()
    try {
      return await run()
    } finally {
      pass()
    }
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
