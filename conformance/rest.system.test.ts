import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startDouble } from './eventstore/double.ts'
import { restSuite } from './rest/suite.ts'

await restSuite(t, 'the REST interface on an SQLite file', { OTEP_DATA_DIR: t.testdir() })

const url = process.env.EVENTSTORE_URL
const double = url === undefined ? await startDouble() : undefined
const address = url ?? double?.connectionString ?? ''
await restSuite(t, `the REST interface on EventStoreDB (${double ? 'a double' : 'the server of EVENTSTORE_URL'})`, {
  OTEP_DATA_DIR: t.testdir(),
  OTEP_STORE: `${address}${address.includes('?') ? '&' : '?'}otepPrefix=t${randomUUID()}.`,
})
await double?.close()
