import type { Context } from '../../../kernel/context.ts'

/** What insights need of other domains. */
export interface InsightPorts {
  /** The timeline that an identifier leads to, as `otep_tracking` answers it in `data`; undefined where there is none. */
  timelineOf(context: Context, identifier: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

declare module '../../../kernel/context.ts' {
  interface Ports {
    readonly insights: InsightPorts
  }
}
