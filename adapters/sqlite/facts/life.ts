import { EngineError } from '../../../engine/index.ts'
import { createGate, type Gate } from './gate.ts'
import type { History } from './history.ts'

/** An open store until its end: it is closed, its file is lost, or another history is in its file. */
export interface Life {
  /** The id of its history. */
  readonly history: string
  readonly gate: Gate
  /** Aborted at the end. */
  readonly ended: AbortSignal
  /** Whether the file still holds the same history; if not, the store ends and `replaced` is called. */
  isSame(): boolean
  /** Throws `store_unavailable` if the file holds another history. */
  refuseOther(): void
  end(): void
}

/** Begins the life of a store on a history. */
export function createLife(history: History, replaced: () => void): Life {
  const gate = createGate()
  const ending = new AbortController()

  function isSame(): boolean {
    if (history.stands()) return true
    if (!gate.isShut()) setImmediate(replaced)
    end()
    return false
  }

  function refuseOther(): void {
    if (!isSame()) throw new EngineError('store_unavailable')
  }

  function end(): void {
    gate.shut()
    ending.abort()
  }

  return { history: history.id, gate, ended: ending.signal, isSame, refuseOther, end }
}
