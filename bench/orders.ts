import { join } from 'node:path'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { type Ask, openBusiness } from './business.ts'
import { type Case, measured, median, type Prepared, type Settings, type Topic } from './harness.ts'
import { fillOrders, nameOf, numberOf, referenceOf } from './many-orders.ts'
import { type OrdersByHand, type Selected, writeOrdersByHand } from './orders-by-hand.ts'
import { removeDatabase } from './stores.ts'

/** Reads of the register of orders. */
export const orders: Topic = {
  name: 'orders',
  summary:
    'reads of a register of orders, a third of them labels, against one of local deliveries alone, and raw indexed queries',
  unit: 'read',
  prepare,
}

/** Orders in a register; a million take minutes to be written, and `--scale 10` has them. */
const ordersInRegister = 100_000

/** Reads of a page in a round; what finds one order is short, and done ten times as often. */
const readsARound = 50
const findsARound = 500

const perPage = 30

/** A register, and where the second half of its list begins. */
interface Register {
  readonly ask: Ask
  readonly middle: unknown
  close(): Promise<void>
}

/** A read of a register by its number, and the raw query of the same orders. */
interface Read {
  readonly name: string
  readonly isFind?: boolean
  readonly ask: (register: Register, at: number) => ReturnType<Ask>
  readonly byHand: (at: number) => Found
}

/** Texts of orders, and how many there are where they are counted. */
interface Found {
  readonly texts: readonly string[]
  readonly total?: number
}

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  const count = Math.round(ordersInRegister * scale)
  const fileOf = (name: string) => join(directory, `orders-${name}.db`)
  const names = ['register', 'local deliveries'] as const
  const [register, local] = [
    await openRegister(fileOf, names[0], count, progress),
    await openRegister(fileOf, names[1], count, progress),
  ]
  progress('writing the table of the raw queries')
  const database = openDatabase(fileOf('raw'))
  const reads = readsOf(await writeOrdersByHand(database, register.ask, count), count)
  const timesOf = ({ isFind = false }: Read) =>
    Math.max(2, Math.round((isFind ? findsARound : readsARound) * Math.min(1, scale)))
  const cases: Case[] = []
  for (const read of reads) {
    const { name, ask, byHand } = read
    const times = timesOf(read)
    compare(name, await ask(register, 1), byHand(1))
    const [ofLocal, ofHand] = [`local deliveries alone, ${name}`, `raw indexed query, ${name}`]
    cases.push(
      { name: `register, ${name}`, reference: [ofLocal, ofHand], run: timed(times, (at) => ask(register, at)) },
      { name: ofLocal, run: timed(times, (at) => ask(local, at)) },
      { name: ofHand, run: timed(times, (at) => byHand(at).texts.join()) },
    )
  }
  const close = async () => {
    for (const one of [register, local]) await one.close()
    database.close()
    for (const name of [...names, ...names.map(modelsOf), 'raw']) removeDatabase(fileOf(name))
  }
  return { cases, notes: [noteOn(count)], close }
}

const modelsOf = (name: string) => `${name}-models`

async function openRegister(
  fileOf: (name: string) => string,
  name: 'register' | 'local deliveries',
  count: number,
  progress: Settings['progress'],
): Promise<Register> {
  const tell = (done: string) => progress(`${name}: ${done}`)
  tell(`writing ${count.toLocaleString('en')} orders`)
  const store = createSqliteStore({ file: fileOf(name), clock: Date.now })
  const business = await openBusiness(store, fileOf(modelsOf(name)))
  await fillOrders(business, count, name === 'register', tell)
  const { ask, parts } = business
  const half = { page: Math.ceil(count / 2 / perPage), per_page: perPage, with_total: false }
  const { next_cursor: middle } = await ask('get_orders', half)
  const close = async () => {
    await parts.models.close()
    await store.close()
  }
  return { ask, middle, close }
}

function readsOf(table: OrdersByHand, count: number): readonly Read[] {
  const page = (name: string, filter: object, selected: Selected, before: number = count + 1): readonly Read[] => {
    const texts = () => table.page(selected, before, perPage)
    const list = ({ ask }: Register, with_total: boolean) =>
      ask('get_orders', { ...filter, with_total, per_page: perPage })
    return [
      { name, ask: (register) => list(register, false), byHand: () => ({ texts: texts() }) },
      {
        name: `${name}, counted`,
        ask: (register) => list(register, true),
        byHand: () => ({ texts: texts(), total: table.count(selected) }),
      },
    ]
  }
  const find = (name: string, column: NonNullable<Selected>[0], textOf: (order: number) => string): Read => {
    const value = (at: number) => textOf(1 + ((at * 7_919) % count))
    return {
      ...{ name, isFind: true },
      ask: ({ ask }, at) => ask('find_order', { query: value(at) }),
      byHand: (at) => ({ texts: table.page([column, value(at)], count + 1, perPage) }),
    }
  }
  const seen = Math.ceil(count / 2 / perPage) * perPage
  return [
    ...page('first page', {}, undefined),
    ...page('first page of a family', { family: 'local_delivery' }, ['family', 'local_delivery']),
    ...page('first page of a status', { status: ['CANCELLED'] }, ['status', 'CANCELLED']),
    {
      name: 'a page in the middle',
      ask: ({ ask, middle }) => ask('get_orders', { cursor: middle, per_page: perPage, with_total: false }),
      byHand: () => ({ texts: table.page(undefined, count + 1 - seen, perPage) }),
    },
    find('found by reference', 'reference', referenceOf),
    find('found by tracking number', 'tracking_number', numberOf),
    find('found by recipient', 'recipient', nameOf),
  ]
}

/** Reads one after another; the figure is the time that half of the reads take at most. */
function timed(times: number, read: (at: number) => unknown): Case['run'] {
  let at = 0
  return async () => {
    const waits: number[] = []
    const sample = await measured(times, async () => {
      for (let one = 0; one < times; one++) {
        const start = performance.now()
        await read(at++)
        waits.push(performance.now() - start)
      }
    })
    return { ...sample, figures: { 'p50 ms': median(waits) } }
  }
}

/** Both answers have the same orders. */
function compare(name: string, answer: Readonly<Record<string, unknown>>, { texts, total }: Found): void {
  const found = (answer.orders as readonly Readonly<Record<string, unknown>>[]).map(({ matched: _, ...order }) => order)
  if (found.length === 0 || JSON.stringify(found) !== `[${texts.join()}]`)
    throw new Error(`${name}: the raw query answers other orders.`)
  if (total !== undefined && answer.total !== total)
    throw new Error(`${name}: the register counts ${answer.total} orders and not ${total}.`)
}

function noteOn(count: number): string {
  return (
    `Each register has ${count.toLocaleString('en')} orders of one business, of which every tenth is cancelled, and the ` +
    'others are new; `--scale 10` measures a million, which take minutes to be written. Every third order of the first is a ' +
    `label. Pages have ${perPage} orders, the newest first. The family is that of local deliveries: all orders of the second ` +
    'register, and two thirds of the first. The engine is called without a socket: it checks the query, reads the rows, and ' +
    'reads, deciphers and folds each order from its own stream. The raw query reads ready texts of the same orders by an ' +
    'index, in plain text.'
  )
}
