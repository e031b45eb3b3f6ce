import { join } from 'node:path'
import { isEngineError, type NewEvent, type Storage } from '../../../engine/index.ts'
import { checkFile } from '../facts/check.ts'
import { clock, collect } from '../facts/events.test.fixture.ts'
import { createSqliteStore } from '../facts/index.ts'
import { atOnce, type Script, type Step } from './script.test.fixture.ts'

/** The event of a number; its id is the same in every run. */
export function numbered(number: number): NewEvent {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  return { id, type: 'SubjectIdentified', data: { subject: {}, number }, metadata: { schemaVersion: 1 } }
}

/** Everything in a file of a store, which must be whole. */
export async function contentOfStore(file: string): Promise<unknown> {
  const store = createSqliteStore({ file, clock })
  const events = await collect(store.readAll())
  const keys = await Promise.all(['a', 'b'].map((subject) => store.keys.read(subject)))
  const lease = await store.leases.read('work')
  await store.close()
  const problems: unknown[] = []
  await checkFile(file, (damage) => problems.push(damage))
  return { events, keys, lease, problems }
}

/** The store, which can be closed and opened again in a script. */
interface Opened {
  store: Storage
  readonly file: string
}

const reopened: Step<Opened> = {
  name: 'close and open',
  run: async (opened) => {
    await opened.store.close()
    opened.store = createSqliteStore({ file: opened.file, clock })
  },
}

/** What became of a call that the store is to refuse. */
async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'taken'
  } catch (error) {
    if (isEngineError(error, 'wrong_expected_revision')) return error.code
    throw error
  }
}

const fileName = 'otep.db'

/** Appends, reads, leases and erasure on the store. */
export const storeScript: Script<Opened> = {
  file: fileName,
  open: (directory) => {
    const file = join(directory, fileName)
    return { file, store: createSqliteStore({ file, clock }) }
  },
  close: ({ store }) => store.close(),
  content: (directory) => contentOfStore(join(directory, fileName)),
  steps: [
    {
      name: 'open a stream',
      run: ({ store }) => store.append('tracking-a', [numbered(1), numbered(2)], 'no-stream'),
    },
    {
      name: 'append to two streams',
      run: ({ store }) =>
        store.appendMany([
          { stream: 'tracking-a', events: [numbered(3)], expected: 1 },
          { stream: 'tracking-b', events: [numbered(4), numbered(5)], expected: 'no-stream' },
        ]),
    },
    {
      name: 'append in calls that share a transaction',
      run: ({ store }) =>
        atOnce([
          store.append('tracking-a', [numbered(6)], 2),
          store.append('tracking-b', [numbered(7)], 'any'),
          store.append('order-1', [numbered(8)], 'no-stream'),
        ]),
    },
    { name: 'append again', run: ({ store }) => store.append('tracking-a', [numbered(6)], 2) },
    { name: 'append too late', isRead: true, run: ({ store }) => refusal(store.append('order-1', [numbered(9)], 7)) },
    { name: 'read a stream', isRead: true, run: ({ store }) => store.read('tracking-a') },
    { name: 'read its last event', isRead: true, run: ({ store }) => store.last('tracking-b') },
    { name: 'read the feed', isRead: true, run: ({ store }) => collect(store.readAll()) },
    { name: 'add a key', run: ({ store }) => store.keys.add('a', 'secret') },
    { name: 'add another', run: ({ store }) => store.keys.add('b', 'secret') },
    {
      name: 'take a lease',
      run: ({ store }) => store.leases.write('work', { holder: 'me', term: 1, checkpoint: '7' }),
    },
    { name: 'erase a key', run: ({ store }) => store.keys.remove('b') },
    { name: 'look for the key', isRead: true, run: ({ store }) => store.keys.read('b') },
    reopened,
    { name: 'read backwards', isRead: true, run: ({ store }) => store.read('tracking-a', { backwards: true }) },
    { name: 'append on', run: ({ store }) => store.append('tracking-b', [numbered(10)], 2) },
    {
      name: 'read a category',
      isRead: true,
      run: ({ store }) => collect(store.readAll(undefined, { category: 'order' })),
    },
    { name: 'ask for the end', isRead: true, run: ({ store }) => store.latest() },
  ],
}
