import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Open, Seal, Vault } from '../kernel/vault.ts'

const algorithm = 'aes-256-gcm'
const [keyLength, nonceLength, tagLength] = [32, 12, 16]

/** A vault in memory. It really encrypts, so a test can tell what is sealed from what is in plain text. */
export function createMemoryVault(): Vault {
  /** The key of each subject; `undefined` once the subject was forgotten. */
  const keys = new Map<string, Uint8Array | undefined>()

  function sealOf(subject: string): Seal | undefined {
    if (!keys.has(subject)) keys.set(subject, randomBytes(keyLength))
    const key = keys.get(subject)
    return key && sealWith(key)
  }

  return {
    sealing: async (subject) => sealOf(subject),
    draft: async (subject) => {
      const seal = sealOf(subject)
      return seal && { seal }
    },
    opening: async (subject) => {
      if (!keys.has(subject)) return openNothing
      const key = keys.get(subject)
      return key && openWith(key)
    },
    forget: async (subject) => {
      keys.set(subject, undefined)
    },
  }
}

function sealWith(key: Uint8Array): Seal {
  return (label, value) => {
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
    cipher.setAAD(Buffer.from(label))
    const sealed = [nonce, cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }
}

function openWith(key: Uint8Array): Open {
  return (label, sealed) => {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    decipher.setAAD(Buffer.from(label))
    decipher.setAuthTag(bytes.subarray(-tagLength))
    const opened = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]
    return JSON.parse(Buffer.concat(opened).toString())
  }
}

/** For a subject without a key: nothing was sealed for it here. */
const openNothing: Open = () => {
  throw new Error('The text was sealed with a key that this vault does not have.')
}
