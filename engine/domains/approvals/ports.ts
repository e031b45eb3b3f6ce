import type { Tools } from '../../store/tools.ts'

/** What approvals need of other domains: their operations by name, to preview them and to carry them out later. */
export type ApprovalPorts = Tools

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly approvals: ApprovalPorts
  }
}
