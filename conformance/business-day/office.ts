import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { program } from '../program/files.ts'
import { otep } from '../program/otep.ts'
import { type Server, startServer } from '../program/server.ts'
import { openBooks, plugin } from './carrier.ts'
import { priceList } from './model.ts'

export type Json = ReturnType<typeof JSON.parse>

/** Something that a caller asks, with a name for the call where it changes something. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly key?: string
}

const password = 'a password of this day'

/** How often a call is sent again while the server is away. */
const patience = 100

/**
 * A business on a server in its own process, with a price list, two customers with money and accounts at three carriers. A
 * call is sent again, with the same key, until it is answered: the server may be killed at any moment.
 */
export async function openOffice(t: Test) {
  const books = await openBooks(t)
  const directory = t.testdir({ 'books.mjs': plugin(books.url) })
  const dataDir = join(directory, 'data')
  const words = ['--plugin', join(directory, 'books.mjs')]
  const business = ['--new-business', 'Acme', '--time-zone', 'America/Toronto', '--currency', 'CAD']
  const first = await otep([
    'account',
    'add',
    'ann@acme.example',
    '--role',
    'client_admin',
    ...business,
    '--data-dir',
    dataDir,
  ])
  let starting: Promise<Server> = startServer(program, dataDir, [], words)
  let kills = 0
  t.teardown(async () => (await starting).kill())

  const send = async (token: string, { method, path, body, key }: Ask): Promise<Json> => {
    const { port } = await starting
    const headers = {
      'Content-Type': 'application/json',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, sent)).json()
  }
  const ask = async (token: string, asked: Ask): Promise<Json> => {
    for (let left = patience; ; left--)
      try {
        const answer = await send(token, asked)
        if (answer.result === true || !['contention', 'too_busy', 'store_unavailable'].includes(answer.code))
          return answer
        await setTimeout(20)
      } catch (error) {
        if (left === 0) throw error
        await setTimeout(100)
      }
  }
  /** Kills the server, and starts it again. */
  const kill = async () => {
    kills++
    starting = starting.then(async (running) => {
      await running.kill()
      return startServer(program, dataDir, [], words)
    })
    await starting
  }
  const { staff, customers } = await settle(ask, first.trim())
  return { books, staff, customers, ask, kill, kills: () => kills }
}

/** Signs the admin in, who publishes the prices and adds accounts: of customers, with money, and at carriers. */
async function settle(ask: (token: string, asked: Ask) => Promise<Json>, first: string) {
  const signIn = async (email: string, word: string): Promise<string> =>
    (await ask('', { method: 'POST', path: 'user/login', body: { email, password: word } })).access_token

  const staff = await signIn('ann@acme.example', first)
  const done = async (method: string, path: string, body: object) => {
    const answer = await ask(staff, { method, path, body })
    if (answer.result !== true) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  await done('PUT', 'price-list', priceList)
  await done('POST', 'carrier-accounts', { carrier: 'own-fleet', credentials: {} })
  await done('POST', 'carrier-accounts', { carrier: 'sandbox', credentials: { account: 'acme' } })
  await done('POST', 'carrier-accounts', { carrier: 'books', credentials: {} })
  const customer = async (name: string, balance: string) => {
    const email = `${name}@shop.example`
    const { account_id } = await done('POST', 'accounts', { role: 'customer', email, name, password })
    await done('POST', `accounts/${account_id}/top-ups`, { amount: balance })
    return { id: account_id as number, token: await signIn(email, password) }
  }
  const customers = [await customer('joe', '2000.00'), await customer('eve', '2500.00')] as const
  return { staff, customers }
}

/** The office of a day. */
export type Office = Awaited<ReturnType<typeof openOffice>>
