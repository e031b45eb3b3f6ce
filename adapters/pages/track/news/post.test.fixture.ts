import { join } from 'node:path'
import { type Caller, en } from '../../../../engine/index.ts'
import { createParts, openStore } from '../../../engine.ts'
import { secretIn } from '../../../node/secret.ts'

const caller: Caller = { kind: 'provider', name: 'acme', scopes: ['otep:ingest'] }

/** The engine on the store in a directory, with a caller that pushes events. */
export async function openPost(directory: string) {
  const store = await openStore({ kind: 'sqlite', file: join(directory, 'otep.db') })
  const parts = createParts({ store, secret: secretIn(join(directory, 'secret.key')) })
  return { store, parts, context: { ...parts, caller, messages: en, requestId: 'test' } }
}

/** A report of a parcel that was made now. */
export function report(status_code: string) {
  const events = [{ status_code, occurred_at: new Date().toISOString() }]
  return { document: { subject: { tracking_number: 'SR1' }, events } }
}
