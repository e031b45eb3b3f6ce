import type { Context as Request } from 'hono'
import { getCookie } from 'hono/cookie'
import {
  type Account,
  accountOf,
  type Context,
  isEngineError,
  languages,
  type Operation,
} from '../../../engine/index.ts'
import type { OpenRequest } from '../../node/gateway.ts'

const tokenForm = /^ots_[0-9a-f]{64}$/

/** The cookie that holds the token of a session: no script reads it, and no other site has it sent. */
export interface SessionCookie {
  /** The token that came with a request; nothing where what came cannot be one. */
  read(request: Request): string | undefined
  /** The header that gives it for so many seconds. */
  given(token: string, seconds: number): string
  /** The header that takes it back. */
  readonly taken: string
}

/** The cookie of a server; where it is reached by https the name itself ties it to this host (RFC 6265bis, `__Host-`). */
export function sessionCookie(isSecure: boolean): SessionCookie {
  const name = isSecure ? '__Host-otep' : 'otep_session'
  const scope = isSecure ? 'Path=/; Secure' : 'Path=/'
  const header = (token: string, seconds: number) =>
    `${name}=${token}; Max-Age=${seconds}; ${scope}; HttpOnly; SameSite=Strict`
  return {
    read: (request) => {
      const token = getCookie(request, name)
      return token !== undefined && tokenForm.test(token) ? token : undefined
    },
    given: header,
    taken: header('', 0),
  }
}

/** Somebody who is signed in. */
export interface Visitor {
  readonly context: Context
  readonly account: Account
  /** What the account is called; missing once that was erased. */
  readonly name: string | undefined
  /** What a form of the session carries to show that it is of these pages; the token cannot be told from it. */
  readonly formToken: string
}

/** Who is signed in with this token; nobody where it is over. */
export async function visitorBy(token: string, opened: OpenRequest): Promise<Visitor | undefined> {
  try {
    const known = await opened.authenticate(`Bearer ${token}`)
    // The pages are in English, and so is what they say of refusals.
    const context = { ...known, messages: languages.en }
    const account = accountOf(context)
    const person = await context.directory.person(context, account.id)
    return { context, account, name: person?.name, formToken: context.credentials.blind(`form\0${token}`) }
  } catch (error) {
    if (isEngineError(error, 'unauthenticated') || isEngineError(error, 'account_required')) return undefined
    throw error
  }
}

/** Whether the gateway would let this account in; the handler may still refuse what is asked of it. */
export function may({ context, account }: Visitor, { scopes, roles }: Pick<Operation, 'scopes' | 'roles'>): boolean {
  return scopes.every((scope) => context.caller.scopes.includes(scope)) && (roles?.includes(account.role) ?? true)
}
