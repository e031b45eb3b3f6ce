import type { Leases } from '../../engine/index.ts'

/** The lease of an import. It has a holder until the import is complete, also if its process has ended. */
const name = 'import'

/** Whether an import into this store has begun and is not complete. */
export async function isImportUnfinished(leases: Leases): Promise<boolean> {
  const lease = await leases.read(name)
  return lease !== undefined && lease.holder !== ''
}

/** Marks the store as one whose import is not complete; again, if it is marked already. */
export async function beginImport(leases: Leases): Promise<void> {
  await write(leases, 'otep import')
}

/** Removes the mark. */
export async function completeImport(leases: Leases): Promise<void> {
  await write(leases, '')
}

async function write(leases: Leases, holder: string): Promise<void> {
  const { term = 0 } = (await leases.read(name)) ?? {}
  if (!(await leases.write(name, { holder, term: term + 1 })))
    throw new Error('Another process imports into this store. Run one import at a time.')
}

/** What to do about it, for operators. */
export const unfinishedImport =
  'an import into this store is not complete, so events are missing: run otep import with the same file again'
