import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createMemoryStore } from '../../../engine/index.ts'
import { exportHistory } from '../../history/export.ts'
import { importHistory } from '../../history/import.ts'
import { isImportUnfinished } from '../../history/unfinished.ts'
import { backUp } from '../facts/backup.ts'
import { checkFile } from '../facts/check.ts'
import { clock } from '../facts/events.test.fixture.ts'
import { createSqliteStore } from '../facts/index.ts'
import { restore } from '../facts/restore.ts'
import { contentOfStore, numbered } from './facts.test.fixture.ts'
import type { Script } from './script.test.fixture.ts'

/** Where the script works, and an exported history. */
interface Opened {
  readonly directory: string
  readonly history: readonly string[]
}

/** The end of the path of the two stores that are written. The files that they are copied to have other names. */
const fileName = '-otep.db'

const paths = (directory: string) => ({
  ...{ restored: join(directory, `restored${fileName}`), imported: join(directory, `imported${fileName}`) },
  ...{ backups: [1, 2].map((number) => join(directory, `backup-${number}`)), target: join(directory, 'target') },
})

/** Backs up what a store holds after so many calls. */
async function makeBackup(target: string, calls: number): Promise<void> {
  const file = `${target}-source`
  const store = createSqliteStore({ file, clock })
  for (let number = 0; number < calls; number++) await store.append(`order-${number % 3}`, [numbered(number)], 'any')
  await store.keys.add('a', 'secret')
  await store.close()
  await backUp(file, target)
}

/** The lines of a history that is imported in several calls, because its streams alternate. */
async function makeHistory(): Promise<readonly string[]> {
  const store = createMemoryStore(clock)
  for (let number = 0; number < 6; number++) await store.append(`tracking-${number % 2}`, [numbered(number)], 'any')
  let text = ''
  for await (const piece of exportHistory(store, { name: 'a', now: clock() })) text += piece.text
  return text.split('\n')
}

async function isMarked(file: string): Promise<boolean> {
  const store = createSqliteStore({ file, clock })
  const isUnfinished = await isImportUnfinished(store.leases)
  await store.close()
  return isUnfinished
}

interface Content {
  readonly restored?: { readonly events: readonly unknown[] }
  readonly imported?: { readonly isUnfinished: boolean; readonly content: { readonly events: readonly unknown[] } }
}

/** Restore, backup, check and import. */
export const restoreScript: Script<Opened> = {
  file: fileName,
  open: async (directory) => {
    const { backups } = paths(directory)
    for (const [number, backup] of backups.entries()) await makeBackup(backup, 3 + number)
    return { directory, history: await makeHistory() }
  },
  close: async () => {},
  content: async (directory) => {
    const { restored, imported } = paths(directory)
    return {
      ...(existsSync(restored) && { restored: await contentOfStore(restored) }),
      ...(existsSync(imported) && {
        imported: { isUnfinished: await isMarked(imported), content: await contentOfStore(imported) },
      }),
    }
  },
  steps: [
    ...[0, 1].map((number) => ({
      name: `restore ${number}`,
      // Files that were made and are still empty.
      mayLeave: ({ restored }: Content) => number === 0 && restored?.events.length === 0,
      run: ({ directory }: Opened) =>
        restore(paths(directory).backups[number] as string, paths(directory).restored, { force: true }),
    })),
    {
      name: 'check',
      isRead: true,
      run: async ({ directory }) => {
        const file = paths(directory).restored
        const checked = await checkFile(file, ({ problem }) => {
          throw new Error(`${file}: ${problem}`)
        })
        return checked
      },
    },
    {
      name: 'back up',
      run: async ({ directory }) => {
        const { restored, target } = paths(directory)
        rmSync(target, { force: true })
        return backUp(restored, target)
      },
    },
    {
      name: 'import',
      mayLeave: ({ imported }: Content) => imported?.isUnfinished === true || imported?.content.events.length === 0,
      run: async ({ directory, history }) => {
        const store = createSqliteStore({ file: paths(directory).imported, clock })
        try {
          return await importHistory(store, () => Readable.from(history))
        } finally {
          await store.close()
        }
      },
    },
  ],
}
