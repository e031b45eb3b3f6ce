import t from 'tap'
import { specificationOf } from '../../testing/spec.ts'
import { type WalletEvent, wallets } from './wallet.ts'

const { given } = specificationOf(t, wallets)
const money = { customer_id: 7, amount: '25.00', currency: 'EUR', at: '2026-06-10T10:00:00.000Z', by: 1 }
const toppedUp: WalletEvent = { type: 'WalletToppedUp', data: money }
const topUp = { type: 'TopUpWallet', ...money } as const
const charge = { type: 'ChargeWallet', ...money, order_id: 9 } as const
const charged: WalletEvent = { type: 'WalletCharged', data: { ...money, order_id: 9 } }

t.test('given a wallet, when it is topped up, then the balance grows', async () => {
  given().when(topUp).then(toppedUp)
  given(toppedUp).when(topUp).then(toppedUp)
})

t.test('given an invalid amount, when it is moved, then it is refused', async () => {
  for (const amount of ['0.00', '-1.00', '1', '1.0', '1.000', '1e3', '', ' 1.00', 'NaN']) {
    given(toppedUp)
      .when({ ...topUp, amount })
      .thenRefused('not_a_positive_amount')
    given(toppedUp)
      .when({ ...charge, amount })
      .thenRefused('not_a_positive_amount')
  }
})

t.test('given another currency, when it is moved, then it is refused', async () => {
  given(toppedUp)
    .when({ ...topUp, currency: 'USD' })
    .thenRefused('currency_differs')
  given(toppedUp)
    .when({ ...charge, currency: 'USD' })
    .thenRefused('currency_differs')
})

t.test('given 25.00, when it is charged, then up to the last cent and no further', async () => {
  given(toppedUp).when(charge).then(charged)
  given(toppedUp)
    .when({ ...charge, amount: '25.01' })
    .thenRefused('insufficient_credits')
  given(toppedUp, charged)
    .when({ ...charge, amount: '0.01' })
    .thenRefused('insufficient_credits')
  given().when(charge).thenRefused('insufficient_credits')
})

t.test('given a charge, when it is refunded, then the balance is restored, and it is no top-up', async (t) => {
  const refund = { ...charge, type: 'RefundWallet' } as const
  const refunded: WalletEvent = { type: 'WalletRefunded', data: charged.data as typeof charge }
  given(toppedUp, charged).when(refund).then(refunded)
  given(toppedUp, charged, refunded).when(charge).then(charged)
  const wallet = [toppedUp, charged, refunded].reduce(wallets.evolve, wallets.initial())
  t.equal(wallet.balance, '25.00')
  t.equal(wallet.topUps.length, 1)
  given(toppedUp, charged)
    .when({ ...refund, currency: 'USD' })
    .thenRefused('currency_differs')
  given(toppedUp, charged)
    .when({ ...refund, amount: '0.00' })
    .thenRefused('not_a_positive_amount')
})

t.test('given many top-ups, when they are folded, then cents are exact, and the latest twenty are kept', async (t) => {
  const many = Array.from(
    { length: 30 },
    (_, day): WalletEvent => ({
      type: 'WalletToppedUp',
      data: { ...money, amount: `0.${10 + day}` },
    }),
  )
  const wallet = many.reduce(wallets.evolve, wallets.initial())
  t.equal(wallet.balance, '7.35')
  t.equal(wallet.topUps.length, 20)
  t.equal(wallet.topUps[0]?.amount, '0.39')
  const later = { type: 'WalletClosed', data: money } as unknown as WalletEvent
  t.equal(wallets.evolve(wallet, later).balance, '7.35')
})
