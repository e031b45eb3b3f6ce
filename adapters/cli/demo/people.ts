import { randomBytes } from 'node:crypto'
import { addProvider, call, issueApiKey, type Role, registerAccount, setModule } from '../../../engine/index.ts'
import type { Invocation } from '../command.ts'
import { withContext } from '../session.ts'
import { amounts } from './plan.ts'

/** The time zone of the business. */
export const timeZone = 'Europe/Paris'

/** The carrier that delivers what no driver does. */
export const carrierName = 'swift-parcel'

/** Somebody of the world, with what a person signs in with and a program calls with. */
interface Person {
  readonly id: number
  readonly email: string
  readonly password: string
  /** An API key. */
  readonly key: string
}

/** Who acts in the world. */
export interface People {
  readonly business: number
  readonly admin: Person
  readonly customer: Person
  readonly drivers: readonly Person[]
  /** The key of the carrier that reports parcels. */
  readonly carrierKey: string
}

const scopes: Readonly<Partial<Record<Role, readonly string[]>>> = {
  client_admin: ['orders:read', 'orders:write', 'devices:read', 'devices:write', 'webhooks:read', 'webhooks:write'],
  customer: ['orders:read'],
  driver: ['orders:read', 'orders:write', 'drivers:write'],
}

/** Opens the business and its accounts, as an operator does with `otep account`, `otep key` and `otep provider`. */
export function openPeople(invocation: Invocation): Promise<People> {
  return withContext(
    invocation,
    async (context) => {
      async function person(
        role: Role,
        name: string,
        business: number | object,
      ): Promise<Person & { business: number }> {
        const email = `${name.toLowerCase()}@demo.example`
        const password = randomBytes(9).toString('base64url')
        const opened = await call(registerAccount, context, { email, role, name, password, business })
        const id = Number(opened.account_id)
        const asked = { account_id: id, name: 'demo', scopes: scopes[role] ?? [] }
        const { key } = await call(issueApiKey, context, asked)
        return { id, email, password, key: String(key), business: Number(opened.business_id) }
      }
      const town = { name: 'Demo Couriers', time_zone: timeZone, currency: 'EUR' }
      const { business, ...admin } = await person('client_admin', 'Ann', town)
      const customer = await person('customer', 'Shop', business)
      const drivers: Person[] = []
      for (let number = 1; number <= amounts.drivers; number++)
        drivers.push(await person('driver', `Driver${number}`, business))
      await call(setModule, context, { business_id: business, module: 'device_orders', state: 'on' })
      const { key } = await call(addProvider, context, { name: carrierName, business_id: business })
      return { business, admin, customer, drivers, carrierKey: String(key) }
    },
    { isMade: true },
  )
}
