import type { Test } from 'tap'
import type { Client } from './client.ts'

/** What a test may do: call the server, run `otep` on its data, and restart it. */
interface Setting {
  readonly client: Client
  otep(...words: readonly string[]): Promise<string>
  /** Restarts the server on the same data; returns its client. */
  restarted(): Promise<Client>
}

/** Sentences about the REST interface, each shown from outside. */
export type Sentences = Readonly<Record<string, (t: Test, setting: Setting) => Promise<void>>>
