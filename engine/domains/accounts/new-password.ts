import type { Context } from '../../kernel/context.ts'
import type { Weakness } from '../../kernel/credentials.ts'
import { EngineError } from '../../kernel/errors.ts'
import { accountStateOf, businessOf } from './read.ts'

/** What others know of the owner of a password. */
interface PasswordOwner {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly business?: string | undefined
}

const codes = { common: 'password_too_common', own: 'password_names_owner' } as const satisfies Record<Weakness, string>

/**
 * The hash of a new password. Refuses one that would soon be guessed, with a finding at the `member` of the input that it
 * came in.
 */
export async function newPasswordHash(
  { credentials, source }: Context,
  member: string,
  password: string,
  { name, email, business }: PasswordOwner,
): Promise<string> {
  const own = [name, email, business].filter((text) => text !== undefined)
  const weakness = await credentials.weakness(password, own)
  if (weakness !== undefined)
    throw new EngineError('invalid_input', { count: 1 }, [{ path: member, code: codes[weakness] }])
  return credentials.hash(password, source)
}

/** The same for an account that exists. */
export async function renewedHash(context: Context, id: number, member: string, password: string): Promise<string> {
  const state = await accountStateOf(context, id)
  if (state === undefined) throw new EngineError('account_not_found')
  const business = (await businessOf(context, state.business_id))?.name
  return newPasswordHash(context, member, password, { name: state.name, email: state.email, business })
}
