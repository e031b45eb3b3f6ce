import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  exchange_rate_not_found: 'There is no rate of exchange {exchange_rate}.',
  not_an_exchange_rate: 'Expected a rate above zero as decimal text with at most 12 decimals, for example 1.3725.',
  same_currency: 'This is the currency of the business, which needs no rate of exchange.',
}

/** A code of rates of exchange. */
export type ExchangeRateCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ExchangeRateCode, 'exchange-rates'> {}
}

const kinds: Readonly<Partial<Record<ExchangeRateCode, Kind>>> = { exchange_rate_not_found: 'not_found' }

type Texts = Readonly<Record<ExchangeRateCode, string>>

const fr: Texts = {
  exchange_rate_not_found: 'Le taux de change {exchange_rate} n’existe pas.',
  not_an_exchange_rate:
    'Un taux supérieur à zéro est attendu en texte décimal, avec 12 décimales au plus, comme 1.3725.',
  same_currency: 'C’est la devise de l’entreprise, qui n’a besoin d’aucun taux de change.',
}

const de: Texts = {
  exchange_rate_not_found: 'Es gibt keinen Wechselkurs {exchange_rate}.',
  not_an_exchange_rate:
    'Erwartet wird ein Kurs über null als Dezimaltext mit höchstens 12 Nachkommastellen, etwa 1.3725.',
  same_currency: 'Das ist die Währung des Unternehmens; sie braucht keinen Wechselkurs.',
}

const es: Texts = {
  exchange_rate_not_found: 'No existe el tipo de cambio {exchange_rate}.',
  not_an_exchange_rate:
    'Se espera un tipo mayor que cero como texto decimal, con 12 decimales como máximo, por ejemplo 1.3725.',
  same_currency: 'Es la moneda de la empresa, que no necesita ningún tipo de cambio.',
}

const zhHans: Texts = {
  exchange_rate_not_found: '没有汇率 {exchange_rate}。',
  not_an_exchange_rate: '应为大于零的十进制文本汇率，最多 12 位小数，例如 1.3725。',
  same_currency: '这是该企业的货币，不需要汇率。',
}

const zhHant: Texts = {
  exchange_rate_not_found: '沒有匯率 {exchange_rate}。',
  not_an_exchange_rate: '應為大於零的十進位文字匯率，最多 12 位小數，例如 1.3725。',
  same_currency: '這是該企業的貨幣，不需要匯率。',
}

/** Rates of exchange. */
export const exchangeRateMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
