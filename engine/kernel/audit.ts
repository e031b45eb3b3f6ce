import type { Code } from './messages/index.ts'

/** Whom or what an entry of the security log concerns: ids and names of the engine, never a secret or an address. */
export type Concerned = Readonly<Record<string, string | number | boolean>>

/** An entry of the security log. `delayed`: refused after many failures, whether or not it was right. */
export interface SecurityEntry {
  /** Such as `sign_in`; `access` for a call of any operation that was refused. */
  readonly event: string
  readonly outcome: 'ok' | 'refused' | 'delayed'
  readonly reason?: Code
  readonly operation?: string
  readonly concerned?: Concerned
}

/** Who acts; `key` is the API key of an account, `grant` what it gave a program. */
export interface Actor {
  readonly kind: string
  readonly name: string
  readonly key?: { readonly id: number }
  readonly grant?: { readonly id: number }
}

/**
 * An actor, as the metadata of events and the security log tell it: `account:7`, `account:7:key:12` with an API key, and
 * `account:7:grant:3` with a grant.
 */
export function actorOf({ kind, name, key, grant }: Actor): string {
  const by = key === undefined ? grant && `:grant:${grant.id}` : `:key:${key.id}`
  return `${kind}:${name}${by ?? ''}`
}

/** Who called, from where, in which request. */
export interface Cause {
  readonly caller: Actor
  readonly source?: string
  readonly requestId: string
}

/** Takes entries of the security log. It must not throw. */
export type Audit = (cause: Cause, entry: SecurityEntry) => void
