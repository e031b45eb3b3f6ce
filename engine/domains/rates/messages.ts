import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  no_price_list: 'There is no such price list.',
  currency_of_business: 'The currency of the business is {expected}.',
  not_a_price_code: 'Expected lower-case letters, digits, hyphens and underscores, for example same-day.',
  not_a_postal_prefix: 'Expected the beginning of postal codes in capital letters and digits, for example M5V.',
  not_a_percentage: 'Expected a percentage as decimal text, for example 8.25.',
  amount_or_percent: 'Either an amount or a percentage is needed, and not both.',
  steps_not_rising: 'Each step must be for more weight than the one before, and must not cost less.',
  items_differ: 'The number of items is not that of the parcels.',
  service_not_for_type: 'This service does not take orders of type {type}.',
  service_not_valid: 'This service is not offered on {day}.',
  address_not_served: 'This service does not go to this address.',
  parcel_too_heavy: 'A parcel counts as {received} g; this service takes up to {limit} g.',
  rate_invalid: 'There is no such rate. Ask for a new quote.',
  rate_expired: 'This rate has expired. Ask for a new quote.',
  rate_differs: 'The rate was quoted for “{expected}”, not for “{received}”. Ask for a new quote.',
}

/** A code of rates. */
export type RateCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<RateCode, 'rates'> {}
}

const kinds: Readonly<Partial<Record<RateCode, Kind>>> = {
  no_price_list: 'not_found',
  rate_invalid: 'conflict',
  rate_expired: 'conflict',
}

type Texts = Readonly<Record<RateCode, string>>

const fr: Texts = {
  no_price_list: 'Cette grille tarifaire n’existe pas.',
  currency_of_business: 'La devise de l’entreprise est {expected}.',
  not_a_price_code: 'Lettres minuscules, chiffres, tirets et tirets bas attendus, comme same-day.',
  not_a_postal_prefix: 'Début de code postal attendu, en majuscules et en chiffres, comme M5V.',
  not_a_percentage: 'Un pourcentage est attendu en texte décimal, comme 8.25.',
  amount_or_percent: 'Indiquez soit un montant, soit un pourcentage, mais pas les deux.',
  steps_not_rising: 'Chaque palier doit valoir pour un poids supérieur au précédent, sans coûter moins.',
  items_differ: 'Le nombre d’articles n’est pas celui des colis.',
  service_not_for_type: 'Ce service n’accepte pas les commandes de type {type}.',
  service_not_valid: 'Ce service n’est pas proposé le {day}.',
  address_not_served: 'Ce service ne dessert pas cette adresse.',
  parcel_too_heavy: 'Un colis compte pour {received} g ; ce service accepte jusqu’à {limit} g.',
  rate_invalid: 'Ce tarif n’existe pas. Demandez un nouveau devis.',
  rate_expired: 'Ce tarif a expiré. Demandez un nouveau devis.',
  rate_differs: 'Le tarif a été calculé pour « {expected} », et non pour « {received} ». Demandez un nouveau devis.',
}

const de: Texts = {
  no_price_list: 'Diese Preisliste gibt es nicht.',
  currency_of_business: 'Die Währung des Unternehmens ist {expected}.',
  not_a_price_code: 'Erwartet werden Kleinbuchstaben, Ziffern, Binde- und Unterstriche, etwa same-day.',
  not_a_postal_prefix: 'Erwartet wird der Anfang von Postleitzahlen in Großbuchstaben und Ziffern, etwa M5V.',
  not_a_percentage: 'Erwartet wird ein Prozentsatz als Dezimaltext, etwa 8.25.',
  amount_or_percent: 'Entweder ein Betrag oder ein Prozentsatz ist nötig, nicht beides.',
  steps_not_rising: 'Jede Stufe muss für mehr Gewicht gelten als die davor und darf nicht weniger kosten.',
  items_differ: 'Die Anzahl der Stücke ist nicht die der Pakete.',
  service_not_for_type: 'Dieser Service nimmt keine Aufträge vom Typ {type} an.',
  service_not_valid: 'Dieser Service wird am {day} nicht angeboten.',
  address_not_served: 'Dieser Service liefert nicht an diese Adresse.',
  parcel_too_heavy: 'Ein Paket zählt als {received} g; dieser Service nimmt bis zu {limit} g.',
  rate_invalid: 'Diesen Tarif gibt es nicht. Fragen Sie einen neuen Preis an.',
  rate_expired: 'Dieser Tarif ist abgelaufen. Fragen Sie einen neuen Preis an.',
  rate_differs: 'Der Tarif gilt für „{expected}“, nicht für „{received}“. Fragen Sie einen neuen Preis an.',
}

const es: Texts = {
  no_price_list: 'No existe esa lista de precios.',
  currency_of_business: 'La moneda de la empresa es {expected}.',
  not_a_price_code: 'Se esperaban letras minúsculas, cifras, guiones y guiones bajos, como same-day.',
  not_a_postal_prefix: 'Se esperaba el comienzo de códigos postales en mayúsculas y cifras, como M5V.',
  not_a_percentage: 'Se esperaba un porcentaje como texto decimal, por ejemplo 8.25.',
  amount_or_percent: 'Hace falta un importe o un porcentaje, pero no ambos.',
  steps_not_rising: 'Cada tramo debe ser para más peso que el anterior y no puede costar menos.',
  items_differ: 'El número de artículos no es el de los paquetes.',
  service_not_for_type: 'Este servicio no admite pedidos de tipo {type}.',
  service_not_valid: 'Este servicio no se ofrece el {day}.',
  address_not_served: 'Este servicio no llega a esta dirección.',
  parcel_too_heavy: 'Un paquete cuenta como {received} g; este servicio admite hasta {limit} g.',
  rate_invalid: 'No existe esa tarifa. Pida una nueva cotización.',
  rate_expired: 'Esta tarifa ha caducado. Pida una nueva cotización.',
  rate_differs: 'La tarifa se calculó para «{expected}», no para «{received}». Pida una nueva cotización.',
}

const zhHans: Texts = {
  no_price_list: '没有这样的价目表。',
  currency_of_business: '该企业的货币是 {expected}。',
  not_a_price_code: '应为小写字母、数字、连字符和下划线，例如 same-day。',
  not_a_postal_prefix: '应为邮政编码的开头部分，使用大写字母和数字，例如 M5V。',
  not_a_percentage: '应为十进制文本形式的百分比，例如 8.25。',
  amount_or_percent: '需要金额或百分比之一，不能两者都有。',
  steps_not_rising: '每一级的重量必须大于前一级，且价格不得更低。',
  items_differ: '件数与包裹数量不一致。',
  service_not_for_type: '此服务不接受类型为 {type} 的订单。',
  service_not_valid: '此服务在 {day} 不提供。',
  address_not_served: '此服务不送达该地址。',
  parcel_too_heavy: '一个包裹按 {received} 克计；此服务最多接受 {limit} 克。',
  rate_invalid: '没有这样的报价。请重新询价。',
  rate_expired: '此报价已过期。请重新询价。',
  rate_differs: '报价针对“{expected}”，而不是“{received}”。请重新询价。',
}

const zhHant: Texts = {
  no_price_list: '沒有這樣的價目表。',
  currency_of_business: '該企業的貨幣是 {expected}。',
  not_a_price_code: '應為小寫字母、數字、連字號和底線，例如 same-day。',
  not_a_postal_prefix: '應為郵遞區號的開頭部分，使用大寫字母和數字，例如 M5V。',
  not_a_percentage: '應為十進位文字形式的百分比，例如 8.25。',
  amount_or_percent: '需要金額或百分比其中之一，不能兩者都有。',
  steps_not_rising: '每一級的重量必須大於前一級，且價格不得更低。',
  items_differ: '件數與包裹數量不一致。',
  service_not_for_type: '此服務不接受類型為 {type} 的訂單。',
  service_not_valid: '此服務在 {day} 不提供。',
  address_not_served: '此服務不送達該地址。',
  parcel_too_heavy: '一個包裹以 {received} 公克計；此服務最多接受 {limit} 公克。',
  rate_invalid: '沒有這樣的報價。請重新詢價。',
  rate_expired: '此報價已過期。請重新詢價。',
  rate_differs: '報價針對「{expected}」，而不是「{received}」。請重新詢價。',
}

/** Rates. */
export const rateMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
