import type { Caller } from '../../engine/index.ts'
import type { Retained } from './topics.ts'

/** Who published a message: the caller and where it comes from, and in whose name it follows. */
export interface Sender {
  readonly caller: Caller
  readonly source: string
  readonly owner: string
}

/** A way to those who listen. */
export interface Link {
  /** Publishes a message that is kept; resolves when the broker has it. */
  publish(message: Retained): Promise<void>
  close(): Promise<void>
}

/** What a link tells. */
export interface LinkEvents {
  /** A message on a topic of commands. */
  received(topic: string, payload: Buffer, sender: Sender): void
  /** The broker may have forgotten what was published. */
  connected(): void
}
