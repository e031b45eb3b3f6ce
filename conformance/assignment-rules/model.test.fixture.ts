/** What an independent bookkeeper expects of one order: who has it, and who is offered it. */
interface Expected {
  driver?: number | undefined
  broker?: number | undefined
  offered: readonly number[]
  declined: readonly number[]
  isOver: boolean
}

/** What somebody does to an order, or a driver for itself; answers whether it is possible. */
export type Deed = 'accept' | 'refuse' | 'release' | 'driver rejects' | 'cancel'

/**
 * The books of a business whose drivers on duty are asked first, one order each, and then its contractors, all of them: who has
 * which order and who is offered it. It knows neither streams nor rules.
 */
export function books(contractors: readonly number[]) {
  const orders: Expected[] = []
  const duty: number[] = []

  const has = (driver: number) => orders.some((one) => !one.isOver && one.driver === driver)

  const deeds: Readonly<Record<Deed, (one: Expected, who: number) => boolean>> = {
    accept: (one, who) => one.offered.includes(who) && change(one, { broker: who, offered: [] }),
    refuse: (one, who) =>
      one.offered.includes(who) &&
      change(one, { offered: one.offered.filter((each) => each !== who), declined: [...one.declined, who] }),
    release: (one, who) => one.broker === who && change(one, { broker: undefined, declined: [] }),
    'driver rejects': (one, who) =>
      one.driver === who && change(one, { driver: undefined, declined: [...one.declined, who] }),
    cancel: (one) => change(one, { driver: undefined, broker: undefined, offered: [], isOver: true }),
  }

  function change(one: Expected, to: Partial<Expected>): true {
    Object.assign(one, to)
    return true
  }

  return {
    orders,
    create: () => orders.push({ offered: [], declined: [], isOver: false }),
    onDuty: (driver: number) => duty.includes(driver) || duty.push(driver),
    /** Whether it is possible; the books then say so. */
    does: (deed: Deed, order: number, who: number): boolean => {
      const one = orders[order]
      return one !== undefined && deeds[deed](one, who)
    },
    /** Finds somebody for each order that nobody has or is offered. */
    settle: () => {
      for (const one of orders) {
        const isWaiting = !one.isOver && one.driver === undefined && one.broker === undefined
        if (!isWaiting || one.offered.length > 0) continue
        const able = duty.filter((driver) => !one.declined.includes(driver) && !has(driver))
        if (able.length > 0) one.driver = Math.min(...able)
        else one.offered = contractors.filter((contractor) => !one.declined.includes(contractor))
      }
    },
  }
}
