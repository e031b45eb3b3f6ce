import type { Directory, Ports } from '../kernel/context.ts'
import type { Operation } from '../kernel/operation.ts'
import { namingSubject } from '../kernel/timeline.ts'
import { createTools } from '../store/tools.ts'
import { directory as accounts } from './accounts/directory.ts'
import { businessOfNumber, isOwnNumber, labelTracked, postalCodeOfNumber } from './labels/owners.ts'
import { domains, en, given } from './of-all.ts'
import { businessesOf, isOwnOrder, postalCodeOf } from './orders/owners.ts'
import { serves } from './providers/read.ts'
import type { TrackingPorts } from './tracking/ports.ts'

/** Who can call, as accounts and providers know them. */
export const directory: Directory = { ...accounts, serves }

/** A parcel is that of an order; without one, that of a label. */
const owners: Pick<TrackingPorts, 'businessesOf' | 'isOwn' | 'orderOf' | 'postalCodeOf'> = {
  businessesOf: async (facts, named) => {
    const subject = namingSubject(named)
    const ofOrders = await businessesOf(facts, subject)
    const ofLabel = ofOrders.length > 0 ? undefined : await businessOfNumber(facts, subject.tracking_number)
    return ofLabel === undefined ? ofOrders : [ofLabel]
  },
  isOwn: async (context, named) => {
    const subject = namingSubject(named)
    if ((await businessesOf(context, subject)).length > 0) return isOwnOrder(context, subject)
    return isOwnNumber(context, subject.tracking_number)
  },
  orderOf: async (facts, named, position) => {
    const subject = namingSubject(named)
    const order = await given.tracking.orderOf(facts, subject, position)
    return order ?? labelTracked(facts, subject.tracking_number, position)
  },
  postalCodeOf: async (facts, named) => {
    const subject = namingSubject(named)
    return (await postalCodeOf(facts, subject)) ?? postalCodeOfNumber(facts, subject.tracking_number)
  },
}

/**
 * What domains need of one another: what each gives, and what is made of several. A need that nobody fills does not compile.
 * `operations` are those that an approval may carry out.
 */
export function createPorts(operations: readonly Operation[]): Ports {
  const payables = domains.flatMap(({ payable }) => payable ?? [])
  return {
    ...given,
    accounts: {
      operations: operations.map(({ name }) => name),
      erasures: async (context, person) => {
        const all = domains.flatMap(({ erasePerson }) => (erasePerson === undefined ? [] : [erasePerson]))
        return (await Promise.all(all.map((erase) => erase(context, person)))).flat()
      },
    },
    approvals: createTools(operations),
    batches: { ...given.batches, english: en },
    orders: { ...given.orders, families: domains.flatMap(({ orderFamily }) => orderFamily ?? []) },
    payments: { ...given.payments, payables },
    sensors: { ...given.sensors, businessesOf: owners.businessesOf },
    statements: { ...given.statements, payables },
    tracking: { ...given.tracking, ...owners },
  }
}
