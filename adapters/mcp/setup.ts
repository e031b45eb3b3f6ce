import type { Catalogue } from './catalogue.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'

/** One of the two servers. */
export interface Setup {
  readonly catalogue: Catalogue
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  readonly title: string
  readonly version: string
  /** Instructions for agents; clients cut them at 2,048 characters. */
  readonly instructions: string
  /** The scopes of a connection whose headers name none; all of the token if absent. */
  readonly ownScopes?: readonly string[]
}
