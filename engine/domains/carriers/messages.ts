import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  carrier_account_not_found: 'There is no carrier account {account}.',
  unknown_carrier: 'There is no carrier {received}. Carriers: {expected}.',
  too_many_carrier_accounts: 'A business has at most {limit} carrier accounts.',
  shipping_method_not_found: 'There is no way of shipping {received}.',
  carrier_refused: 'The carrier refuses: {reason}',
  carrier_timed_out: 'The carrier did not answer in time.',
  carrier_broken: 'The carrier could not answer.',
  carrier_wrong_answer: 'The carrier answered in a form that is not accepted.',
  carrier_too_busy: 'Too many questions wait for an answer of this carrier.',
  rate_currency_differs:
    'The rate is in {received}, but the business buys in {expected}. Set a rate of exchange, and ask for a new quote.',
}

/** A code of carriers. */
export type CarrierCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<CarrierCode, 'carriers'> {}
}

const kinds: Readonly<Partial<Record<CarrierCode, Kind>>> = {
  carrier_account_not_found: 'not_found',
  shipping_method_not_found: 'not_found',
  too_many_carrier_accounts: 'conflict',
  carrier_refused: 'conflict',
  carrier_timed_out: 'unavailable',
  carrier_broken: 'unavailable',
  carrier_wrong_answer: 'unavailable',
  carrier_too_busy: 'unavailable',
  rate_currency_differs: 'conflict',
}

type Texts = Readonly<Record<CarrierCode, string>>

const fr: Texts = {
  carrier_account_not_found: 'Le compte de transporteur {account} n’existe pas.',
  unknown_carrier: 'Le transporteur {received} n’existe pas. Transporteurs\u00a0: {expected}.',
  too_many_carrier_accounts: 'Une entreprise a au plus {limit} comptes de transporteur.',
  shipping_method_not_found: 'Le mode d’expédition {received} n’existe pas.',
  carrier_refused: 'Le transporteur refuse\u00a0: {reason}',
  carrier_timed_out: 'Le transporteur n’a pas répondu à temps.',
  carrier_broken: 'Le transporteur n’a pas pu répondre.',
  carrier_wrong_answer: 'Le transporteur a répondu sous une forme qui n’est pas acceptée.',
  carrier_too_busy: 'Trop de questions attendent une réponse de ce transporteur.',
  rate_currency_differs:
    'Le tarif est en {received}, mais l’entreprise achète en {expected}. Définissez un taux de change, puis demandez un nouveau devis.',
}

const de: Texts = {
  carrier_account_not_found: 'Es gibt kein Konto {account} bei einem Zusteller.',
  unknown_carrier: 'Es gibt keinen Zusteller {received}. Zusteller: {expected}.',
  too_many_carrier_accounts: 'Ein Unternehmen hat höchstens {limit} Konten bei Zustellern.',
  shipping_method_not_found: 'Es gibt keine Versandart {received}.',
  carrier_refused: 'Der Zusteller lehnt ab: {reason}',
  carrier_timed_out: 'Der Zusteller hat nicht rechtzeitig geantwortet.',
  carrier_broken: 'Der Zusteller konnte nicht antworten.',
  carrier_wrong_answer: 'Der Zusteller hat in einer Form geantwortet, die nicht angenommen wird.',
  carrier_too_busy: 'Zu viele Fragen warten auf eine Antwort dieses Zustellers.',
  rate_currency_differs:
    'Der Tarif ist in {received}, aber das Unternehmen kauft in {expected}. Legen Sie einen Wechselkurs fest, und fragen Sie den Preis neu an.',
}

const es: Texts = {
  carrier_account_not_found: 'No existe la cuenta de transportista {account}.',
  unknown_carrier: 'No existe el transportista {received}. Transportistas: {expected}.',
  too_many_carrier_accounts: 'Una empresa tiene como máximo {limit} cuentas de transportista.',
  shipping_method_not_found: 'No existe el modo de envío {received}.',
  carrier_refused: 'El transportista lo rechaza: {reason}',
  carrier_timed_out: 'El transportista no respondió a tiempo.',
  carrier_broken: 'El transportista no pudo responder.',
  carrier_wrong_answer: 'El transportista respondió en una forma que no se acepta.',
  carrier_too_busy: 'Demasiadas preguntas esperan una respuesta de este transportista.',
  rate_currency_differs:
    'La tarifa está en {received}, pero la empresa compra en {expected}. Fije un tipo de cambio y pida una nueva cotización.',
}

const zhHans: Texts = {
  carrier_account_not_found: '没有承运商账户 {account}。',
  unknown_carrier: '没有承运商 {received}。承运商：{expected}。',
  too_many_carrier_accounts: '一个企业最多有 {limit} 个承运商账户。',
  shipping_method_not_found: '没有配送方式 {received}。',
  carrier_refused: '承运商拒绝：{reason}',
  carrier_timed_out: '承运商没有及时答复。',
  carrier_broken: '承运商无法答复。',
  carrier_wrong_answer: '承运商答复的格式不被接受。',
  carrier_too_busy: '等待该承运商答复的询问过多。',
  rate_currency_differs: '报价币种为 {received}，但该企业以 {expected} 购买。请设置汇率，然后重新询价。',
}

const zhHant: Texts = {
  carrier_account_not_found: '沒有承運商帳戶 {account}。',
  unknown_carrier: '沒有承運商 {received}。承運商：{expected}。',
  too_many_carrier_accounts: '一個企業最多有 {limit} 個承運商帳戶。',
  shipping_method_not_found: '沒有配送方式 {received}。',
  carrier_refused: '承運商拒絕：{reason}',
  carrier_timed_out: '承運商沒有及時答覆。',
  carrier_broken: '承運商無法答覆。',
  carrier_wrong_answer: '承運商答覆的格式不被接受。',
  carrier_too_busy: '等待該承運商答覆的詢問過多。',
  rate_currency_differs: '報價幣別為 {received}，但該企業以 {expected} 購買。請設定匯率，然後重新詢價。',
}

/** Carriers. */
export const carrierMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
