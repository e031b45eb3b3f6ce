import { type Invocation, usageError } from './command.ts'
import type { Server } from './remote/server.ts'
import { requireServer, serverOf } from './remote/target.ts'
import { type Opening, type SessionContext, withContext } from './session.ts'

/** The two ways of a command: with a store, as its operator, or with a server, within what the key allows. */
export interface Ways<Result> {
  readonly store: (context: SessionContext) => Promise<Result>
  /** Throws a usage error for options that a store needs, before it is opened. */
  readonly check?: () => unknown
  /** Absent if only an operator can do it. */
  readonly server?: (server: Server) => Promise<Result>
}

/** Does something with the server that is named, or with the store if none is. */
export async function either<Result>(
  invocation: Invocation,
  { store, check, server }: Ways<Result>,
  opening: Opening = {},
): Promise<Result> {
  const asked = await serverOf(invocation)
  if (asked === undefined) {
    check?.()
    return withContext(invocation, store, opening)
  }
  if (server !== undefined) return server(asked)
  throw usageError('Only an operator can do this, where the store is: name it with --data-dir DIR or --store ADDRESS.')
}

/** Refuses options that have no meaning for a server, which knows whose key it is. */
export function refuseOptions({ values }: Invocation, ...names: readonly string[]): void {
  const given = names.find((name) => values[name] !== undefined)
  if (given !== undefined)
    throw usageError(`--${given} is for a store alone: a server does this for the account of the key.`)
}

export { requireServer }
