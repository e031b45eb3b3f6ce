import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Role } from '../../engine/index.ts'
import { projectFile } from '../program/files.ts'
import type { Answers, Kept } from './kept.ts'
import { type Office, openOffice, password } from './office.ts'
import { orderHistory } from './orders.ts'
import { otherHistory } from './others.ts'
import { everyAnswer } from './questions.ts'

// Creates a history with a build of the program, and stores its responses: `node .../make.js PROGRAM`, where PROGRAM
// is its `dist/adapters/cli/main.js`.
const [program] = process.argv.slice(2)
if (program === undefined) throw new Error('Name the command line of a build.')

const hour = 3_600_000
const start = Date.parse('2026-03-02T13:00:00Z')
const colleagues: Readonly<Record<string, Role>> = {
  ...{
    employee: 'client_employee',
    contractor: 'contractor',
    customer: 'customer',
    driver: 'driver',
    second: 'driver',
  },
  neighbour: 'customer',
}

const directory = mkdtempSync(join(tmpdir(), 'history-'))
const office = await openOffice(program, directory, start)
try {
  const ids = await openBusinesses(office)
  const things = { ...(await orderHistory(office, ids)), ...(await otherHistory(office, ids)) }
  await settled(office)
  await office.restart()
  office.pass(30 * hour)
  await office.restart()
  for (const name of ['admin', 'stranger', ...Object.keys(colleagues)]) await office.signIn(name, emailOf(name))
  const answers = await settled(office)
  const backup = join(directory, 'backup')
  await office.otep('backup', backup)
  keep('history.db.br', readFileSync(backup))
  const { tokens, now } = office
  const kept: Kept = { now: now(), tokens, ids, things, answers }
  keep('answers.json.br', Buffer.from(JSON.stringify(kept)))
} finally {
  await office.close()
  rmSync(directory, { recursive: true })
}

function keep(name: string, content: Buffer): void {
  const packed = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
  writeFileSync(projectFile('conformance', 'histories', name), packed)
  console.log(`${name}: ${packed.length} bytes, ${content.length} before`)
}

function emailOf(name: string): string {
  return `${name}@old.example`
}

/** Two businesses: one has all the data, and the admin of the other must see none of it. */
async function openBusinesses(office: Office): Promise<Readonly<Record<string, number>>> {
  const zone = ['--time-zone', 'America/Toronto', '--currency', 'CAD']
  const reset = async (name: string, business: string) => {
    const words = [
      'account',
      'add',
      emailOf(name),
      '--role',
      'client_admin',
      '--json',
      '--new-business',
      business,
      ...zone,
    ]
    const { account_id, password: first } = JSON.parse(await office.otep(...words))
    const { access_token } = await office.ask('', 'POST', '/api/v1/user/login', {
      email: emailOf(name),
      password: first,
    })
    office.tokens[name] = access_token
    await office.ask(name, 'PUT', '/api/v1/user/password', { current_password: first, new_password: password })
    await office.signIn(name, emailOf(name))
    return account_id as number
  }
  const ids: Record<string, number> = { admin: await reset('admin', 'Old'), stranger: await reset('stranger', 'Other') }
  for (const [name, role] of Object.entries(colleagues)) {
    const body = { role, email: emailOf(name), name: `${name} of old`, password }
    ids[name] = (await office.ask('admin', 'POST', '/api/v1/accounts', body)).account_id
    await office.signIn(name, emailOf(name))
  }
  await office.otep('module', 'set', '1', 'broker_assignment', 'on')
  await office.ask('admin', 'PUT', '/api/v1/business/modules', { modules: { device_orders: 'on' } })
  const contractor = `/api/v1/accounts/${ids.contractor}/modules`
  await office.ask('admin', 'PUT', contractor, { modules: { broker_assignment: 'on' } })
  const neighbour = `/api/v1/accounts/${ids.neighbour}`
  await office.ask('admin', 'PUT', `${neighbour}/hidden-prices`, { families: ['local_delivery'] })
  await office.ask('admin', 'PUT', `${neighbour}/status`, { is_active: false })
  await office.ask('admin', 'PUT', `${neighbour}/status`, { is_active: true })
  office.tokens.provider = await office.otep('provider', 'add', 'fast-lane', '--business', '1')
  await office.otep('provider', 'add', 'slow-lane', '--business', '1')
  return ids
}

/** The response of the server once all background work is done. */
async function settled(office: Office): Promise<Answers> {
  let before = await everyAnswer(office)
  for (;;) {
    await setTimeout(2_000)
    const after = await everyAnswer(office)
    if (JSON.stringify(after) === JSON.stringify(before)) return after
    before = after
  }
}
