/** Something that is wrong with a document, or unusual. `messageOf` of `otep-engine/messages` says it in words. */
export interface Finding {
  /** Where it is: `events[0].occurred_at`; empty for the whole document. */
  readonly path: string
  /** What it is: `unknown_status_code`. The error codes in the reference list them all. */
  readonly code: string
  /** The values that its message names. */
  readonly params?: Readonly<Record<string, string | number | boolean>>
  /** The requirement of the protocol that is violated: `otep-1-why`. Only `validate` names it. */
  readonly requirement?: string
}
