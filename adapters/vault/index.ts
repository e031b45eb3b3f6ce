import { type DraftSeal, EngineError, type Keys, type Open, type Seal, type Vault } from '../../engine/index.ts'
import type { AnswerVault, SealedFor } from '../node/answers.ts'
import type { FileVault } from '../node/blobs.ts'
import { openBytes, openText, type SecretKey, sealBytes, sealText } from '../node/cipher.ts'
import type { Secret } from '../node/secret.ts'
import { unlessFailing } from '../node/unless-failing.ts'
import { createKeyring, type Keyring } from './keyring.ts'

export { refuseOtherSecret, refuseWrongSecret } from './keyring.ts'

/**
 * Marks a subject as erased, because a missing key does not say whether there was one. A restore
 * (adapters/sqlite/facts/restore.ts) knows the marks by this name and keeps them.
 */
const markOf = (subject: string) => `forgotten:${subject}`

/** What a vault works with. */
interface VaultOptions {
  readonly keys: Keys
  readonly secret?: Secret | undefined
  /** Called after this process has destroyed a key, to drop what it holds in clear text. */
  readonly onForgotten?: () => void
}

/**
 * The vault: one key per subject, stored in `keys` and encrypted with the secret. Without a secret the keys are stored
 * in plain text, so anybody who reads the store can read everything until a subject is erased.
 */
export function createVault({ keys, secret, onForgotten = () => {} }: VaultOptions): Vault & AnswerVault & FileVault {
  const ring = createKeyring(keys, secret)

  const isForgotten = async (subject: string) => (await keys.read(markOf(subject))) !== undefined

  async function draftFor(subject: string, isNew: boolean): Promise<DraftSeal> {
    const { key, text, stored } = await ring.draft(subject, isNew)
    const seal = sealWith(key, subject)
    return text === undefined || stored === undefined ? { seal } : { seal, key: text, stored }
  }

  return {
    seal: async (subject, label, bytes) => {
      const key = await ring.find(subject)
      if (key !== undefined) return { isSealed: true, body: sealBytes(key, `${subject}\0${label}`, bytes) }
      return (await isForgotten(subject)) ? undefined : { isSealed: false, body: bytes }
    },
    openNow: (sealed) => openedNow(ring, sealed),
    sealFile: async (subject, label, bytes) => {
      const key = await ring.make(subject)
      return key && sealBytes(key, `${subject}\0${label}`, bytes)
    },
    openFile: async (subject, label, bytes) => {
      const key = await ring.find(subject)
      return key && openBytes(key, `${subject}\0${label}`, bytes)
    },
    sealing: async (subject) => {
      const key = await ring.make(subject)
      return key && sealWith(key, subject)
    },
    draft: (subject, isNew = false) => {
      const key = ring.held(subject)
      return key === undefined ? draftFor(subject, isNew) : { seal: sealWith(key, subject) }
    },
    opening: async (subject) => {
      const key = await ring.find(subject)
      if (key !== undefined) return openWith(key, subject)
      return (await isForgotten(subject)) ? undefined : openNothing
    },
    forget: async (subject) => {
      ring.drop(subject)
      try {
        if ((await isForgotten(subject)) && (await keys.read(subject)) === undefined) return
        await keys.add(markOf(subject), 'yes')
        await keys.remove(subject)
        onForgotten()
      } finally {
        // Drop it again: a lookup before the deletion may have cached the key.
        ring.drop(subject)
      }
    },
  }
}

/** Opens what has a key at hand: first all keys are unwrapped, then all bytes opened. */
function openedNow(ring: Keyring, sealed: readonly SealedFor[]): readonly (Uint8Array | undefined)[] {
  const keys = ring.findNow(sealed.map(({ subject }) => subject))
  return sealed.map(({ subject, label, bytes }, at) =>
    unlessFailing(() => {
      const key = keys[at]
      return key && openBytes(key, `${subject}\0${label}`, bytes)
    }),
  )
}

function sealWith(key: SecretKey, subject: string): Seal {
  return (label, value) => sealText(key, `${subject}\0${label}`, JSON.stringify(value))
}

function openWith(key: SecretKey, subject: string): Open {
  return (label, sealed) => JSON.parse(openText(key, `${subject}\0${label}`, sealed))
}

/** For a subject without a key: sealed data has lost its key. */
const openNothing: Open = () => {
  throw new EngineError('internal', { request: 'sealed data whose key is neither there nor thrown away' })
}
