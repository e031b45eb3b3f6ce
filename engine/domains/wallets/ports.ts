import type { Context } from '../../kernel/context.ts'

/** A customer whose wallet is listed; the name is missing after an erasure. */
export interface WalletOwner {
  readonly id: number
  readonly name?: string | undefined
}

/** What wallets need of other domains. */
export interface WalletPorts {
  /** A page of the customers of the caller's business, in order of id; only the one with an id, if it is given. */
  customers(
    context: Context,
    range: { readonly limit: number; readonly offset: number },
    id?: number,
  ): Promise<{ readonly customers: readonly WalletOwner[]; readonly total: number }>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly wallets: WalletPorts
  }
}
