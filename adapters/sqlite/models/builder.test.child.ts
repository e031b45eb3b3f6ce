import { writeSync } from 'node:fs'
import { createSqliteStore } from '../facts/index.ts'
import { createReadModels } from './index.ts'
import { recordStock, stock } from './stock.test.fixture.ts'

/**
 * A process: `<store> <models>` writes, follows and rebuilds until it is killed, one line on standard output for every
 * page and every look-up.
 */
const [storeFile = '', file = ''] = process.argv.slice(2)
const store = createSqliteStore({ file: storeFile, clock: Date.now })
const models = createReadModels({ store, models: [stock], file })
const signal = new AbortController().signal
const say = (what: string) => writeSync(1, `${what}\n`)

models.start(signal)
await Promise.all([write(), rebuild()])

async function write() {
  for (;;) {
    await recordStock(store, 50)
    say(`rows ${(await models.rows(stock, {}, 1)).length}`)
  }
}

async function rebuild() {
  for (;;) await models.rebuild(stock, signal, (rows) => say(`rebuilt ${rows}`))
}
