import type { Test } from 'tap'
import type { Client } from './client.ts'

/** What a sentence may do: call the server, run `otep` beside it, and start it anew. */
export interface Setting {
  readonly client: Client
  otep(...words: readonly string[]): Promise<string>
  /** Stops the server and starts it again on what it kept; answers its client. */
  restarted(): Promise<Client>
}

/** Sentences about the REST interface, each shown from outside. */
export type Sentences = Readonly<Record<string, (t: Test, setting: Setting) => Promise<void>>>
