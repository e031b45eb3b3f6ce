import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createMemoryStore, type Storage } from '../engine/index.ts'
import { profiles } from '../profiles/index.ts'
import { projections } from '../projections/index.ts'
import { defaultBaseUrl, type StoreAddress } from './config.ts'
import type { Parts } from './door.ts'
import { createSqliteStore } from './sqlite/index.ts'

/** What an engine is made of: a store, and time and chance unless the real ones will do. */
export interface EngineOptions {
  readonly store: Storage
  readonly clock?: () => number
  readonly randomId?: () => string
  /** `Context.baseUrl`; the local server's where absent. */
  readonly baseUrl?: string
}

/** The parts that every context has. */
export function createParts({
  store,
  clock = Date.now,
  randomId = randomUUID,
  baseUrl = defaultBaseUrl,
}: EngineOptions): Parts {
  return { store, clock, randomId, baseUrl, profiles, formats: projections }
}

/** Whether there is a store at an address; of a distant one that shows when it is used. */
export function hasStore(address: StoreAddress): boolean {
  return address.kind !== 'sqlite' || existsSync(address.file)
}

/** The store at an address; a file is made where it does not exist. */
export function openStore(address: StoreAddress): Storage {
  const clock = Date.now
  switch (address.kind) {
    case 'sqlite':
      return createSqliteStore({ file: address.file, clock })
    case 'memory':
      return createMemoryStore(clock)
    case 'eventstore':
      throw new Error('not yet')
    default:
      return address satisfies never
  }
}
