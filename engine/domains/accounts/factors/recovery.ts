import type { Context } from '../../../kernel/context.ts'
import { sha256 } from '../../../kernel/id.ts'

const howMany = 10

/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz023456789'

/** New recovery codes: of 80 random bits each, so that a plain hash keeps them. */
export function newRecoveryCodes({ credentials }: Pick<Context, 'credentials'>): readonly string[] {
  return Array.from({ length: howMany }, () => {
    const bytes = credentials.token().match(/../g) ?? []
    const text = bytes.slice(0, 16).map((byte) => letters[Number.parseInt(byte, 16) % letters.length] ?? '')
    return text.join('').replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** The hash of a recovery code of an account, however it was typed. */
export function recoveryHash(account: number, code: string): string {
  return sha256(`recovery code\0${account}\0${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}
