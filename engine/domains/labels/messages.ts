import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  label_not_found: 'There is no label order {label}.',
  label_status_forbids: 'The label order {label} is {status}, so this is not possible.',
  label_id_or_number: 'Give either the order_id or a tracking_number, not both.',
  no_shipping_rate: 'No carrier of the business has a rate for this shipment. {reason}',
  carrier_account_in_use: 'A carrier is yet to answer for a label of this account. Try again later.',
}

/** A code of labels. */
export type LabelCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<LabelCode, 'labels'> {}
}

const kinds: Readonly<Partial<Record<LabelCode, Kind>>> = {
  label_not_found: 'not_found',
  label_status_forbids: 'conflict',
  no_shipping_rate: 'conflict',
  carrier_account_in_use: 'conflict',
}

type Texts = Readonly<Record<LabelCode, string>>

const fr: Texts = {
  label_not_found: 'La commande d’étiquette {label} n’existe pas.',
  label_status_forbids: 'La commande d’étiquette {label} est {status}, ce n’est donc pas possible.',
  label_id_or_number: 'Indiquez soit order_id, soit un tracking_number, mais pas les deux.',
  no_shipping_rate: 'Aucun transporteur de l’entreprise n’a de tarif pour cet envoi. {reason}',
  carrier_account_in_use: 'Un transporteur doit encore répondre pour une étiquette de ce compte. Réessayez plus tard.',
}

const de: Texts = {
  label_not_found: 'Es gibt keinen Labelauftrag {label}.',
  label_status_forbids: 'Der Labelauftrag {label} ist {status}, deshalb ist das nicht möglich.',
  label_id_or_number: 'Entweder order_id oder eine tracking_number ist nötig, nicht beides.',
  no_shipping_rate: 'Kein Zusteller des Unternehmens hat einen Tarif für diese Sendung. {reason}',
  carrier_account_in_use:
    'Ein Zusteller muss noch für ein Label dieses Kontos antworten. Bitte später erneut versuchen.',
}

const es: Texts = {
  label_not_found: 'No existe el pedido de etiqueta {label}.',
  label_status_forbids: 'El pedido de etiqueta {label} está {status}, por lo que no es posible.',
  label_id_or_number: 'Indique order_id o un tracking_number, pero no ambos.',
  no_shipping_rate: 'Ningún transportista de la empresa tiene tarifa para este envío. {reason}',
  carrier_account_in_use: 'Un transportista aún debe responder por una etiqueta de esta cuenta. Inténtelo más tarde.',
}

const zhHans: Texts = {
  label_not_found: '没有面单订单 {label}。',
  label_status_forbids: '面单订单 {label} 的状态是 {status}，因此无法这样做。',
  label_id_or_number: '请提供 order_id 或 tracking_number，不能两者都有。',
  no_shipping_rate: '该企业没有承运商对此货件有报价。{reason}',
  carrier_account_in_use: '承运商尚未答复此账户的一张面单。请稍后再试。',
}

const zhHant: Texts = {
  label_not_found: '沒有面單訂單 {label}。',
  label_status_forbids: '面單訂單 {label} 的狀態是 {status}，因此無法這樣做。',
  label_id_or_number: '請提供 order_id 或 tracking_number，不能兩者都有。',
  no_shipping_rate: '該企業沒有承運商對此貨件有報價。{reason}',
  carrier_account_in_use: '承運商尚未答覆此帳戶的一張面單。請稍後再試。',
}

/** Labels. */
export const labelMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
