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

/** The approval of a write: the proposal, and the account that approved it. */
export interface Approval {
  readonly proposal: number
  readonly by: number
}

/** Who acts; `key` is the API key of an account, `grant` what it gave a program, and `approval` is that of what it proposed. */
export interface Actor {
  readonly kind: string
  readonly name: string
  readonly key?: { readonly id: number }
  readonly grant?: { readonly id: number }
  readonly approval?: Approval
}

/**
 * An actor, as the metadata of events and the security log tell it: `account:7`, `account:7:key:12` with an API key,
 * `account:7:grant:3` with a grant, and `account:7:key:12:proposal:5:approved_by:9` for what account 9 approved.
 */
export function actorOf({ kind, name, key, grant, approval }: Actor): string {
  const by = key === undefined ? grant && `:grant:${grant.id}` : `:key:${key.id}`
  const approved = approval === undefined ? '' : `:proposal:${approval.proposal}:approved_by:${approval.by}`
  return `${kind}:${name}${by ?? ''}${approved}`
}

/** By what means an account acted, from the text of `actorOf`. */
interface Means {
  readonly key?: number
  readonly grant?: number
  readonly approval?: Approval
}

/** The means of an actor; none for one that is no account, and for events of before these were recorded. */
export function meansOf(actor: string | undefined): Means {
  const [kind, , ...rest] = (actor ?? '').split(':')
  if (kind !== 'account') return {}
  const numberAfter = (name: string) => {
    const place = rest.indexOf(name)
    return place < 0 ? undefined : Number(rest[place + 1])
  }
  const [key, grant] = [numberAfter('key'), numberAfter('grant')]
  const [proposal, by] = [numberAfter('proposal'), numberAfter('approved_by')]
  return {
    ...(key === undefined ? {} : { key }),
    ...(grant === undefined ? {} : { grant }),
    ...(proposal === undefined || by === undefined ? {} : { approval: { proposal, by } }),
  }
}

/** Who called, from where, in which request. */
export interface Cause {
  readonly caller: Actor
  readonly source?: string
  readonly requestId: string
}

/** Takes entries of the security log. It must not throw. */
export type Audit = (cause: Cause, entry: SecurityEntry) => void
