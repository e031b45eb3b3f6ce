import { BACKWARDS, END } from '@eventstore/db-client'
import { type Check, type Trouble, trouble } from '../node/checks.ts'
import { type Address, addressOf } from './address.ts'
import { splitPrefix } from './codec.ts'
import { type Connection, createConnection } from './connection.ts'
import { type Denial, denialOf, isTemporary } from './errors.ts'
import { createLog, type Log } from './log.ts'
import { createLeases, leaseStream } from './own-streams.ts'
import { openSubscription, type Told } from './subscribe.ts'
import { lastingTrouble, transportChecks } from './transport.ts'

/** Milliseconds for a call, and for a subscription to tell something. */
const timeout = 5_000

/** Milliseconds that the clocks of two machines may differ. */
const maxDifference = 1_000

/** Lease of the check that writes; nothing else uses it. */
const leaseName = 'doctor'

/** What is wrong with a server and does not pass by itself: credentials, rights, TLS. One that is only down has nothing. */
export async function lastingTroubleOf(connection: Connection, server: string): Promise<Trouble | undefined> {
  const address = addressOf(server)
  try {
    await logOn(connection, '').end()
    return undefined
  } catch (error) {
    const denial = denialOf(error)
    if (denial !== undefined) return troubleOf(denial, address, rights.readAll)
    return isTemporary(error) ? lastingTrouble(address) : undefined
  }
}

/** The log of a server that is asked once for each answer. */
function logOn(connection: Connection, prefix: string): Log {
  return createLog({ ...connection, call: connection.attempt }, prefix)
}

/** What a user may lack, and how to give it. */
const rights = {
  read: ['read streams', 'Give it the right to read streams ($acl, $r).'],
  readAll: [
    'read $all',
    'As an administrator, set the metadata of $all to {"$acl": {"$r": ["$admins", "ROLE"]}}, with a role of the user.',
  ],
  append: ['append to streams and set their metadata', 'Give it these rights ($acl, $w and $mw).'],
} as const

type Right = (typeof rights)[keyof typeof rights]

function troubleOf(denial: Denial, { hasUser }: Address, [right, remedy]: Right): Trouble {
  if (denial === 'credentials' && hasUser)
    return trouble('the server does not take these credentials', 'Correct user and password in OTEP_STORE.')
  return hasUser
    ? trouble(`the user may not ${right}`, remedy)
    : trouble(`nobody may ${right} without a user`, 'Name a user in OTEP_STORE: esdb://USER:PASSWORD@HOST:PORT')
}

/** The checks of a server. */
export function serverChecks(connectionString: string, clock: () => number): readonly Check[] {
  const { server, prefix } = splitPrefix(connectionString)
  const address = addressOf(server)
  const on = (right: Right, look: (log: Log) => Promise<string>) => () => withLog(server, prefix, look, address, right)
  return [
    ...transportChecks(address),
    { name: 'sign-in', needs: ['tls'], run: on(rights.read, signsIn) },
    { name: 'read-all', needs: ['sign-in'], run: on(rights.readAll, readsAll) },
    { name: 'append', needs: ['sign-in'], run: on(rights.append, appends) },
    { name: 'history', needs: ['read-all'], run: on(rights.readAll, firstEvent) },
    { name: 'clock', needs: ['append'], run: on(rights.append, (log) => comparesClocks(log, clock)) },
  ]
}

async function withLog(
  server: string,
  prefix: string,
  look: (log: Log) => Promise<string>,
  address: Address,
  right: Right,
): Promise<string> {
  const connection = createConnection(server, { timeout, retryFor: 0 })
  try {
    return await look(logOn(connection, prefix))
  } catch (error) {
    const denial = denialOf(error)
    throw denial === undefined ? error : troubleOf(denial, address, right)
  } finally {
    await connection.close()
  }
}

async function signsIn(log: Log): Promise<string> {
  await log.read(leaseStream(log, leaseName), { limit: 1 })
  return 'streams may be read'
}

async function readsAll(log: Log): Promise<string> {
  const end = await log.end()
  await firstTold(log, end?.position ?? '', () => true)
  return '$all may be read with a filter'
}

async function firstEvent(log: Log): Promise<string> {
  const known = (await log.end())?.position ?? ''
  const first = await firstTold(log, known, (one) => !('checkpoint' in one) && one.event !== undefined)
  if (first === undefined || 'checkpoint' in first || first.event === undefined)
    return `no event of an engine with the prefix '${log.prefix}' yet`
  return `began at ${first.event.recordedAt} with the event ${first.event.id}`
}

/** The first of what a subscription to the engine's events tells that is wanted, up to a position that is known. */
async function firstTold(log: Log, known: string, isWanted: (one: Told) => boolean): Promise<Told | undefined> {
  const subscription = openSubscription(log, { after: '', categories: undefined, known })
  try {
    for (;;) {
      const told = await subscription.next(timeout)
      const found = told.find(isWanted)
      const isOver = told.length === 0 || told.some((one) => 'checkpoint' in one && one.checkpoint >= known)
      if (found !== undefined || isOver) return found
    }
  } finally {
    subscription.close()
  }
}

async function appends(log: Log): Promise<string> {
  await timeOfAppend(log)
  return 'a lease was written'
}

async function comparesClocks(log: Log, clock: () => number): Promise<string> {
  const before = clock()
  const there = await timeOfAppend(log)
  const difference = Math.max(0, before - there, there - clock())
  if (difference > maxDifference)
    throw trouble(
      `the clocks of this machine and the server differ by ${Math.round(difference / 1_000)} s`,
      'Synchronize the clocks of all machines (NTP).',
    )
  return 'the clocks agree within a second'
}

/** Takes the lease of the checks once more; the time at the server, in epoch milliseconds. */
async function timeOfAppend(log: Log): Promise<number> {
  const leases = createLeases(log)
  const { term = 0 } = (await leases.read(leaseName)) ?? {}
  await leases.write(leaseName, { holder: leaseName, term: term + 1 })
  const options = { fromRevision: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true } as const
  return log.connection.call(async (client) => {
    let time = Number.NaN
    for await (const { event } of client.readStream(leaseStream(log, leaseName), options))
      if (event !== undefined) time = new Date(event.created).getTime()
    return time
  })
}
