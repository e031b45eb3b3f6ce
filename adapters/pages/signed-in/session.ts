import type { Context as Request } from 'hono'
import { getCookie } from 'hono/cookie'
import {
  type Account,
  accountOf,
  type Context,
  hasModule,
  isEngineError,
  isOpenTo,
  type Operation,
} from '../../../engine/index.ts'
import { messagesIn } from '../../locales/messages.ts'
import type { OpenRequest } from '../../node/gateway.ts'

const tokenForm = /^ots_[0-9a-f]{64}$/

/** The cookie with the token of a session: scripts cannot read it, and requests from other sites do not carry it. */
export interface SessionCookie {
  /** The token of a request; undefined if there is none or it is malformed. */
  read(request: Request): string | undefined
  /** The header that sets the token for so many seconds. */
  set(token: string, seconds: number): string
  /** The header that removes the token. */
  readonly cleared: string
}

/** The cookie of a server. With https its name ties it to this host (RFC 6265bis, `__Host-`). */
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
    set: header,
    cleared: header('', 0),
  }
}

/** A visitor who is signed in. */
export interface Visitor {
  readonly context: Context
  readonly account: Account
  /** The name of the account; undefined once it has been erased. */
  readonly name: string | undefined
  /** The value by which forms prove that they belong to the session; it does not reveal the token. */
  readonly formToken: string
}

/** The visitor with this token, to whom messages are in the language of the page; undefined if the session has ended. */
export async function visitorBy(token: string, opened: OpenRequest, page: string): Promise<Visitor | undefined> {
  try {
    const known = await opened.authenticate(`Bearer ${token}`)
    const context = { ...known, messages: messagesIn(page) }
    const account = accountOf(context)
    const person = await context.directory.person(context, account.id)
    return { context, account, name: person?.name, formToken: context.credentials.blind(`form\0${token}`) }
  } catch (error) {
    if (isEngineError(error, 'unauthenticated') || isEngineError(error, 'account_required')) return undefined
    throw error
  }
}

/** Whether the gateway would admit this account; the handler may still refuse the request. */
export function may({ context }: Visitor, operation: Operation): boolean {
  return isOpenTo(operation, context.caller)
}

/** The same, and the module of the operation is on in the business of the account. */
export function mayNow(visitor: Visitor, operation: Operation): boolean {
  const { module } = operation
  return may(visitor, operation) && (module === undefined || hasModule(visitor.account.business, module))
}
