/** Accounts, sign-in and access, in English. */
const en = {
  wrong_account: 'This is for accounts of another kind: {expected}, not {received}.',
  account_required: 'This needs the token of an account.',
  PRICE_HIDDEN_SETTLE_OFFLINE: 'The prices of this order are hidden from this account. It is settled offline.',
  idempotency_key_reused: 'This Idempotency-Key was used for another request.',
  invalid_id_token: 'The ID token is not valid here.',
  too_many_attempts: 'Too many failed attempts. Try again in {seconds} seconds.',
  module_disabled: 'The module {module} is not enabled for this account.',
  module_not_migrated: 'The module {module} is not available on this system yet.',
} as const

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  wrong_account: 'Cette opération est réservée à d’autres types de compte : {expected}, et non {received}.',
  account_required: 'Cette opération nécessite le jeton d’un compte.',
  PRICE_HIDDEN_SETTLE_OFFLINE: 'Les prix de cette commande sont masqués pour ce compte. Elle se règle hors ligne.',
  idempotency_key_reused: 'Cette Idempotency-Key a servi à une autre requête.',
  invalid_id_token: 'Le jeton d’identité n’est pas valable ici.',
  too_many_attempts: 'Trop de tentatives infructueuses. Réessayez dans {seconds} secondes.',
  module_disabled: 'Le module {module} n’est pas activé pour ce compte.',
  module_not_migrated: 'Le module {module} n’est pas encore disponible sur ce système.',
}

const de: Words = {
  wrong_account: 'Das ist für andere Arten von Konten: {expected}, nicht {received}.',
  account_required: 'Dafür wird das Token eines Kontos benötigt.',
  PRICE_HIDDEN_SETTLE_OFFLINE:
    'Die Preise dieses Auftrags sind für dieses Konto verborgen. Er wird offline abgerechnet.',
  idempotency_key_reused: 'Dieser Idempotency-Key wurde für eine andere Anfrage verwendet.',
  invalid_id_token: 'Das ID-Token ist hier nicht gültig.',
  too_many_attempts: 'Zu viele fehlgeschlagene Versuche. Erneut möglich in {seconds} Sekunden.',
  module_disabled: 'Das Modul {module} ist für dieses Konto nicht eingeschaltet.',
  module_not_migrated: 'Das Modul {module} gibt es auf diesem System noch nicht.',
}

const es: Words = {
  wrong_account: 'Esto es para otros tipos de cuenta: {expected}, no {received}.',
  account_required: 'Para esto se necesita el token de una cuenta.',
  PRICE_HIDDEN_SETTLE_OFFLINE: 'Los precios de este pedido están ocultos para esta cuenta. Se liquida fuera de línea.',
  idempotency_key_reused: 'Esta Idempotency-Key se usó para otra solicitud.',
  invalid_id_token: 'El token de identidad no es válido aquí.',
  too_many_attempts: 'Demasiados intentos fallidos. Vuelva a intentarlo en {seconds} segundos.',
  module_disabled: 'El módulo {module} no está activado para esta cuenta.',
  module_not_migrated: 'El módulo {module} todavía no está disponible en este sistema.',
}

const zhHans: Words = {
  wrong_account: '此操作适用于其他类型的账户：{expected}，而不是 {received}。',
  account_required: '此操作需要账户的令牌。',
  PRICE_HIDDEN_SETTLE_OFFLINE: '此账户不显示该订单的价格，请线下结算。',
  idempotency_key_reused: '此 Idempotency-Key 已用于另一个请求。',
  invalid_id_token: '此处无法接受该身份令牌。',
  too_many_attempts: '失败次数过多。请在 {seconds} 秒后重试。',
  module_disabled: '此账户未启用模块 {module}。',
  module_not_migrated: '此系统尚未提供模块 {module}。',
}

const zhHant: Words = {
  wrong_account: '此操作適用於其他類型的帳戶：{expected}，而不是 {received}。',
  account_required: '此操作需要帳戶的權杖。',
  PRICE_HIDDEN_SETTLE_OFFLINE: '此帳戶不顯示該訂單的價格，請線下結算。',
  idempotency_key_reused: '此 Idempotency-Key 已用於另一個請求。',
  invalid_id_token: '此處無法接受該身分權杖。',
  too_many_attempts: '失敗次數過多。請在 {seconds} 秒後重試。',
  module_disabled: '此帳戶未啟用模組 {module}。',
  module_not_migrated: '此系統尚未提供模組 {module}。',
}

/** Accounts, sign-in and access: the messages in every language. */
export const accounts = { en, fr, de, es, zhHans, zhHant }
