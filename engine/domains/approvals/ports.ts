import type { Tools } from '../../store/tools.ts'

/** What approvals need of other domains: operations by name, to preview them and to execute them later. */
export type ApprovalPorts = Tools

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly approvals: ApprovalPorts
  }
}
