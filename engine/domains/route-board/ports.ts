import type { Context } from '../../kernel/context.ts'

/** What route boards need of other domains. */
export interface RouteBoardPorts {
  /** Whether there is a route of this id that the caller may see. */
  routeExists(context: Context, id: number): Promise<boolean>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly routeBoard: RouteBoardPorts
  }
}
