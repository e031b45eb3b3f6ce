import { type Caller, type Code, EngineError, excerptOf, scopeBundles, scopes } from '../../engine/index.ts'

/** The rules of a connection, from its headers (document 1, connection headers). */
export interface Connection {
  /** The scopes that it is narrowed to, at most those of the token; absent if not narrowed. */
  readonly scopes?: readonly string[]
  /** Whether writes are previewed and not recorded. */
  readonly isDryRun: boolean
  /** Whether high-risk writes are queued for approval. */
  readonly needsApproval: boolean
}

/** Returns the value of a request header; `undefined` if it was not sent. */
type Header = (name: string) => string | undefined

/**
 * Reads the headers of a connection; `otherwise` are its scopes if they name none, all if absent. Throws `unknown_connection_profile`, `unknown_scope` or `bad_switch` for invalid
 * values: a typo must not widen what an agent may do.
 */
export function connectionOf(header: Header, otherwise?: readonly string[]): Connection {
  const profile = header('x-mcp-profile')
  const bundle = profile === undefined ? otherwise : profileNamed(profile)
  const list = header('x-mcp-scopes')
  const named = list === undefined ? bundle : scopesNamed(list)
  return {
    ...(named !== undefined && { scopes: named }),
    isDryRun: isOn(header, 'X-MCP-Dry-Run'),
    needsApproval: isOn(header, 'X-MCP-Require-Approval'),
  }
}

/** The scopes of a profile; undefined for one that leaves all. */
function profileNamed(name: string): readonly string[] | undefined {
  const bundle = Object.hasOwn(scopeBundles, name) ? scopeBundles[name] : undefined
  if (bundle === undefined) throw unknownName('unknown_connection_profile', name, Object.keys(scopeBundles))
  return bundle === '*' ? undefined : bundle
}

/** The listed scopes; undefined for `*`, which leaves all. */
function scopesNamed(list: string): readonly string[] | undefined {
  const names = list.split(',').map((name) => name.trim())
  const known: readonly string[] = ['*', ...scopes]
  const stranger = names.find((name) => name !== '' && !known.includes(name))
  if (stranger !== undefined) throw unknownName('unknown_scope', stranger, scopes)
  return names.includes('*') ? undefined : names
}

function unknownName(code: Code, received: string, expected: readonly string[]): EngineError {
  return new EngineError(code, { received: excerptOf(received), expected: expected.join(', ') })
}

function isOn(header: Header, name: string): boolean {
  const value = header(name)
  if (value === undefined || value === '0') return false
  if (value !== '1') throw new EngineError('bad_switch', { header: name, received: excerptOf(value) })
  return true
}

/** The caller with the scopes that the connection leaves; headers never add any. */
export function narrowedCaller(caller: Caller, { scopes: left }: Connection): Caller {
  return left === undefined ? caller : { ...caller, scopes: caller.scopes.filter((scope) => left.includes(scope)) }
}
