import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createApp, createParts } from '../adapters/main.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import type { Storage } from '../engine/index.ts'
import { longCount as count, createNode, randomFrom } from './long-timelines/histories.test.fixture.ts'

t.test('given a server on a file, when a long timeline is read over HTTP, then as without summaries', async (t) => {
  const directory = t.testdir()
  const sqlite = createSqliteStore({ file: join(directory, 'otep.db'), clock: Date.now })
  let pages = 0
  const read: Storage['read'] = (stream, range) => {
    if (range?.isPassing) pages++
    return sqlite.read(stream, range)
  }
  const store = { ...sqlite, read }
  const { secret } = await createNode(randomFrom(5), 'late', count, store)
  const modelsFile = { file: join(directory, 'models.db'), name: 'otep.db' }
  const parts = createParts({ store, publicView: 'full', modelsFile, ...(secret && { secret }) })
  const app = createApp({ store, parts })
  const plain = createApp({ store, publicView: 'full', ...(secret && { secret }) })
  const get = (of: typeof app, rest: string, headers = {}) =>
    of.request(`/api/v1/otep/trackings/SR1${rest}`, { headers })
  for (const rest of ['', '?format=epcis', '?format=otlp', '/events', '/events?limit=70']) {
    for (const Accept of ['application/json', 'application/xml;q=0.9, application/json;q=0.1']) {
      const [sent, due] = [await get(app, rest, { Accept }), await get(plain, rest, { Accept })]
      t.equal(sent.status, 200)
      for (const name of ['etag', 'content-type', 'vary', 'cache-control'])
        t.equal(sent.headers.get(name), due.headers.get(name))
      t.ok((await sent.text()) === (await due.text()), `${rest} ${Accept}`)
      const known = await get(app, rest, { Accept, 'If-None-Match': sent.headers.get('etag') ?? '' })
      t.equal(known.status, 304)
    }
  }
  pages = 0
  const left = (await get(app, '?format=epcis')).body?.getReader()
  await left?.read()
  await left?.cancel()
  await setTimeout(50)
  t.ok(pages > 0 && pages < 10, `${pages} pages were read for somebody who has left`)
  await parts.models.close()
  await sqlite.close()
})
