import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'

/** A person whose data is erased; the name and the address are missing if they were erased before. */
interface ErasedPerson {
  readonly id: number
  readonly businessId: number
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** What accounts need of other domains. */
export interface AccountPorts {
  /** The names of all operations. */
  readonly operations: readonly string[]
  /** The appends that erase what other domains know of a person, recorded in one transaction with that of the account. */
  erasures(context: Context, person: ErasedPerson): Promise<readonly Append[]>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly accounts: AccountPorts
  }
}
