import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  not_a_positive_amount: 'Expected an amount above zero with two decimals, for example 25.00.',
  insufficient_credits: 'There are not enough credits: {received} of the {expected} needed.',
  currency_differs: 'The wallet is in {expected}, not in {received}.',
}

/** A code of wallets. */
export type WalletCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<WalletCode, 'wallets'> {}
}

const kinds: Readonly<Partial<Record<WalletCode, Kind>>> = {
  insufficient_credits: 'conflict',
}

type Texts = Readonly<Record<WalletCode, string>>

const fr: Texts = {
  not_a_positive_amount: 'Un montant positif à deux décimales est attendu, comme 25.00.',
  insufficient_credits: 'Le crédit est insuffisant : {received} sur {expected} nécessaires.',
  currency_differs: 'Le portefeuille est en {expected}, et non en {received}.',
}

const de: Texts = {
  not_a_positive_amount: 'Erwartet wird ein Betrag über null mit zwei Nachkommastellen, etwa 25.00.',
  insufficient_credits: 'Das Guthaben reicht nicht: {received} von {expected} benötigt.',
  currency_differs: 'Das Guthaben wird in {expected} geführt, nicht in {received}.',
}

const es: Texts = {
  not_a_positive_amount: 'Se esperaba un importe mayor que cero con dos decimales, como 25.00.',
  insufficient_credits: 'El saldo no alcanza: {received} de {expected} necesarios.',
  currency_differs: 'El monedero está en {expected}, no en {received}.',
}

const zhHans: Texts = {
  not_a_positive_amount: '应为大于零且带两位小数的金额，例如 25.00。',
  insufficient_credits: '余额不足：需要 {expected}，现有 {received}。',
  currency_differs: '钱包的货币是 {expected}，而不是 {received}。',
}

const zhHant: Texts = {
  not_a_positive_amount: '應為大於零且帶兩位小數的金額，例如 25.00。',
  insufficient_credits: '餘額不足：需要 {expected}，現有 {received}。',
  currency_differs: '錢包的貨幣是 {expected}，而不是 {received}。',
}

/** Wallets. */
export const walletMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
