import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { operationsOf } from '../../entity/operations.ts'
import { getOperation, listOperation } from '../../entity/reading.ts'
import { paymentAccountMachine, paymentAccountModel } from './account.ts'
import { paymentAccount } from './account-table.ts'
import { outsidePayments } from './begin.ts'
import { paymentMessages } from './messages.ts'
import { duePayments, expirePayment, paymentKind, paymentModel } from './payment.ts'
import { payment } from './payment-table.ts'
import { receivePaymentEvents } from './receive.ts'

export type { PaymentCode } from './messages.ts'
export type { PaymentPorts } from './ports.ts'

/** What others get from here, by who needs it. */
const gives = {
  ...{ deviceOrders: outsidePayments, labels: outsidePayments, orders: outsidePayments },
} satisfies Gives

/** Payments for orders by providers outside. */
export const paymentsDomain: Giving<typeof gives> = {
  gives,
  name: 'payments',
  messages: [paymentMessages],
  events: { payment_account: eventShapesOf(paymentAccount), payment: eventShapesOf(payment) },
  tables: [paymentAccount, payment],
  readModels: [paymentAccountModel, paymentModel],
  deadlines: [{ name: 'payment', due: duePayments, pass: expirePayment }],
  operations: [
    ...operationsOf(paymentAccountMachine, paymentAccountModel),
    receivePaymentEvents,
    listOperation(paymentKind, paymentModel, 'api'),
    ...getOperation(paymentKind, 'api'),
  ],
  erasures: ['PaymentAccountRemoved'],
  audited: { PaymentAccountAdded: 'payment_account_added', PaymentAccountRemoved: 'payment_account_removed' },
}
