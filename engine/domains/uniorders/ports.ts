import type { Context } from '../../kernel/context.ts'
import type { Shipping } from '../../kernel/uniorder.ts'

/** What uniorders need of other domains: the two ways to ship. */
export interface UniorderPorts {
  /** Orders that the business delivers itself. */
  readonly order: Shipping
  /** Labels of carriers. */
  readonly label: Shipping
  /**
   * Asks for a label again after its purchase failed: at another rate if one is given. Refuses with `label_status_forbids`, with
   * `label_forgotten`, and with the codes of a rate.
   */
  buyLabelAgain(context: Context, id: number, rateId: string | undefined): Promise<void>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly uniorders: UniorderPorts
  }
}
