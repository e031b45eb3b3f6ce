import * as v from 'valibot'
import {
  type Account,
  anonymous,
  type Business,
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  en,
  isEngineError,
  type Modules,
  type Operation,
  type Person,
  perform,
  type Role,
  scopesOf,
  sha256,
} from '../../index.ts'
import { createTestParts } from '../../testing/parts.test.fixture.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { deviceOrdersDomain } from './index.ts'

/** When the clock of the world starts, in epoch milliseconds. */
export const start = Date.parse('2026-06-10T10:00:00.000Z')

const business = (id: number, modules: Modules): Business => ({
  ...{ id, name: `Business ${id}`, timeZone: 'UTC', currency: 'EUR' },
  modules,
})
const on = { device_orders: 'on' } as const

/** Accounts by their ids: those of a business, of another, and of two that have no device orders. */
export const accounts = new Map(
  (
    [
      [1, 'client_admin', business(1, on)],
      [2, 'client_employee', business(1, on)],
      [3, 'customer', business(1, on)],
      [4, 'customer', business(1, on)],
      [5, 'driver', business(1, on)],
      [6, 'contractor', business(1, on)],
      [11, 'client_admin', business(2, on)],
      [13, 'customer', business(2, on)],
      [21, 'client_admin', business(3, {})],
      [22, 'client_admin', business(4, { device_orders: 'not_migrated' })],
    ] as readonly (readonly [number, Role, Business])[]
  ).map(([id, role, business]): [number, Account] => [id, { id, role, business, modules: {}, hiddenPrices: [] }]),
)

/** The caller with an account. */
export function callerOf(id: number): Caller {
  const account = accounts.get(id) as Account
  return { kind: 'account', name: String(id), scopes: scopesOf[account.role], account }
}

async function personOf(_: unknown, id: number): Promise<Person | undefined> {
  const account = accounts.get(id)
  return account && { ...account, isActive: true }
}

/**
 * An engine on a store in memory; time passes only when the test lets it. `createParts` makes the parts of the engine.
 */
export function createWorld(createParts = createTestParts) {
  const clock = { now: start }
  let ids = 0
  const store = createMemoryStore(() => clock.now)
  const randomId = () => deriveId('device orders', String(ids++))
  const parts = createParts({ store, clock: () => clock.now, randomId })
  const tokens: string[] = []
  const credentials = {
    ...parts.credentials,
    token: () => {
      tokens.push(sha256(`token ${tokens.length}`))
      return tokens.at(-1) ?? ''
    },
  }
  const directory = { ...parts.directory, person: personOf }
  const ports = {
    ...parts.ports,
    deviceOrders: { ...parts.ports.deviceOrders, orderExists: async (_: unknown, id: number) => id === 9 },
  }
  const asked = { caller: anonymous, messages: en, requestId: 'test' }
  const context: Context = { ...parts, credentials, directory, ports, ...asked }

  /** Calls an operation by its name as an account. */
  async function as(id: number, name: string, input: object, key?: string): Promise<Answered> {
    const caller = callerOf(id)
    const found = deviceOrdersDomain.operations.find((one) => one.name === name) as Operation
    const asking = { ...context, caller }
    const answer = (key === undefined
      ? await call(found, asking, input)
      : await perform(found, asking, input, key)) as unknown as Answered
    recordCall({ operation: name, input, status: 200, answer })
    v.parse(found.output, answer)
    return answer
  }

  const codeOf = async (id: number, name: string, input: object) => {
    try {
      await as(id, name, input)
      return 'done'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }

  async function events() {
    const all: object[] = []
    for await (const event of store.readAll()) all.push(event)
    return all
  }

  return { clock, parts, context, as, codeOf, events }
}

interface Answered {
  readonly device_order_id: number
  readonly pickup_code: string
  readonly status: string
  readonly total: number
  readonly device_orders: readonly { readonly id: number; readonly status: string }[]
  readonly [member: string]: unknown
}

/** A delivery into a locker. */
export const locker = { kind: 'delivery', device_type: 'locker', device_id: 4, device_name: 'Locker Main St' } as const

/** The same for a customer, with a deadline. */
export const announced = { ...locker, customer_id: 3, due_at: '2026-06-10T13:00:00+02:00' }

/** The first device order of a world. */
export const first = { device_order_id: 1 }
