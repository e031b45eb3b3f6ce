import t from 'tap'
import { specificationOf } from '../../testing/spec.ts'
import { type adjustmentKinds, type WalletEvent, wallets } from './wallet.ts'

type Kind = (typeof adjustmentKinds)[number]

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

const reasoned = { ...money, reason: 'Parcel was late' }

t.test(
  'given a wallet, when it is corrected, then a fee takes, a credit note gives, and a correction does either',
  async (t) => {
    const adjust = (kind: Kind, amount: string) => ({ type: 'AdjustWallet', ...reasoned, kind, amount }) as const
    const adjusted = (kind: Kind, amount: string): WalletEvent => ({
      type: 'WalletAdjusted',
      data: { ...reasoned, kind, amount },
    })
    given(toppedUp).when(adjust('fee', '25.00')).then(adjusted('fee', '-25.00'))
    given(toppedUp).when(adjust('fee', '25.01')).thenRefused('insufficient_credits')
    given(toppedUp).when(adjust('credit_note', '0.01')).then(adjusted('credit_note', '0.01'))
    given(toppedUp).when(adjust('adjustment', '-25.00')).then(adjusted('adjustment', '-25.00'))
    given(toppedUp).when(adjust('adjustment', '-25.01')).thenRefused('insufficient_credits')
    given(toppedUp).when(adjust('adjustment', '7.00')).then(adjusted('adjustment', '7.00'))
    for (const kind of ['fee', 'credit_note'] as const)
      for (const amount of ['-1.00', '0.00', '1.000'])
        given(toppedUp).when(adjust(kind, amount)).thenRefused('not_a_positive_amount')
    for (const amount of ['0.00', '-0.00', '--1.00', '-1.000'])
      given(toppedUp).when(adjust('adjustment', amount)).thenRefused('not_a_positive_amount')
    given(toppedUp)
      .when({ ...adjust('fee', '1.00'), currency: 'USD' })
      .thenRefused('currency_differs')
    const all = [toppedUp, adjusted('fee', '-4.00'), adjusted('credit_note', '1.50'), adjusted('adjustment', '-0.25')]
    const wallet = all.reduce(wallets.evolve, wallets.initial())
    t.match(wallet, { balance: '22.25', topUps: [{ amount: '25.00' }] })
    t.equal(wallet.topUps.length, 1, 'what is corrected is no top-up')
  },
)

t.test(
  'given credit, when a wallet is charged, then its balance goes below zero, but not below the limit',
  async (t) => {
    const { amount: _, ...stamp } = money
    const setCredit = { type: 'SetCredit', ...stamp, limit: '10.00' } as const
    const creditSet: WalletEvent = { type: 'WalletCreditSet', data: { ...stamp, limit: '10.00' } }
    const over = { ...charge, amount: '35.00' }
    const owing: WalletEvent = { type: 'WalletCharged', data: { ...money, order_id: 9, amount: '35.00' } }
    given().when(setCredit).then(creditSet)
    given(creditSet).when(setCredit).thenNothing()
    given(toppedUp, creditSet).when(over).then(owing)
    given(toppedUp, creditSet)
      .when({ ...over, amount: '35.01' })
      .thenRefused('insufficient_credits')
    const lowered: WalletEvent = { type: 'WalletCreditSet', data: { ...stamp, limit: '0.00' } }
    t.match([toppedUp, creditSet, owing, lowered].reduce(wallets.evolve, wallets.initial()), { balance: '-10.00' })
    given(toppedUp, creditSet, owing)
      .when({ ...setCredit, limit: '0.00' })
      .then(lowered)
    given(toppedUp, creditSet, owing, lowered)
      .when({ ...charge, amount: '0.01' })
      .thenRefused('insufficient_credits')
    given(toppedUp, creditSet, owing, lowered).when(topUp).then(toppedUp)
    given(toppedUp)
      .when({ ...setCredit, currency: 'USD' })
      .thenRefused('currency_differs')
  },
)

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
