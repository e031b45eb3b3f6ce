import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  handoff_not_found: 'There is no handoff {handoff}.',
  handoff_status_forbids: '{move} is not possible while the handoff {handoff} is {status}.',
  handoff_has_expired: 'The handoff {handoff} has expired: it could be decided until {expiry}.',
  handoff_full: 'The handoff {handoff} takes no more than {limit} of these.',
  handoff_reference_taken: 'The handoff {handoff} has this partner_reference already.',
  handoff_message_not_found: 'No message of this id was sent to this partner.',
  amendment_not_found: 'The handoff {handoff} has no amendment {amendment}.',
  amendment_open: 'The amendment {amendment} of the handoff {handoff} is not decided yet.',
  amendment_settled: 'The amendment {amendment} is {status} already.',
  amendment_empty: 'The amendment changes nothing.',
  handoff_subscription_not_found: 'There is no subscription {subscription}.',
  handoff_subscription_exists: 'The subscription {subscription} has this URL already.',
  handoff_subscriptions_too_many: 'At most {limit} subscriptions are possible. Revoke one first.',
}

/** A code of orders that partners hand over. */
export type HandoffCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<HandoffCode, 'handoffs'> {}
}

const kinds: Readonly<Partial<Record<HandoffCode, Kind>>> = {
  handoff_not_found: 'not_found',
  handoff_status_forbids: 'conflict',
  handoff_has_expired: 'conflict',
  handoff_full: 'conflict',
  handoff_reference_taken: 'conflict',
  handoff_message_not_found: 'not_found',
  amendment_not_found: 'not_found',
  amendment_open: 'conflict',
  amendment_settled: 'conflict',
  amendment_empty: 'invalid',
  handoff_subscription_not_found: 'not_found',
  handoff_subscription_exists: 'conflict',
  handoff_subscriptions_too_many: 'conflict',
}

type Texts = Readonly<Record<HandoffCode, string>>

const fr: Texts = {
  handoff_not_found: 'Il n’y a pas de remise {handoff}.',
  handoff_status_forbids: '{move} est impossible tant que la remise {handoff} est {status}.',
  handoff_has_expired: 'La remise {handoff} a expiré : on pouvait en décider jusqu’à {expiry}.',
  handoff_full: 'La remise {handoff} n’en accepte pas plus de {limit}.',
  handoff_reference_taken: 'La remise {handoff} a déjà cette partner_reference.',
  handoff_message_not_found: 'Aucun message de cet identifiant n’a été envoyé à ce partenaire.',
  amendment_not_found: 'La remise {handoff} n’a pas de modification {amendment}.',
  amendment_open: 'La modification {amendment} de la remise {handoff} n’est pas encore décidée.',
  amendment_settled: 'La modification {amendment} est déjà {status}.',
  amendment_empty: 'La modification ne change rien.',
  handoff_subscription_not_found: 'Il n’y a pas d’abonnement {subscription}.',
  handoff_subscription_exists: 'L’abonnement {subscription} a déjà cette URL.',
  handoff_subscriptions_too_many: 'Au plus {limit} abonnements sont possibles. Révoquez-en un d’abord.',
}

const de: Texts = {
  handoff_not_found: 'Es gibt keine Übergabe {handoff}.',
  handoff_status_forbids: '{move} ist nicht möglich, solange die Übergabe {handoff} {status} ist.',
  handoff_has_expired: 'Die Übergabe {handoff} ist abgelaufen: Entscheiden ließ sich bis {expiry}.',
  handoff_full: 'Die Übergabe {handoff} nimmt davon höchstens {limit} auf.',
  handoff_reference_taken: 'Die Übergabe {handoff} hat diese partner_reference schon.',
  handoff_message_not_found: 'Diesem Partner wurde keine Nachricht mit dieser Kennung gesendet.',
  amendment_not_found: 'Die Übergabe {handoff} hat keine Änderung {amendment}.',
  amendment_open: 'Über die Änderung {amendment} der Übergabe {handoff} ist noch nicht entschieden.',
  amendment_settled: 'Die Änderung {amendment} ist schon {status}.',
  amendment_empty: 'Die Änderung ändert nichts.',
  handoff_subscription_not_found: 'Es gibt kein Abonnement {subscription}.',
  handoff_subscription_exists: 'Das Abonnement {subscription} hat diese URL schon.',
  handoff_subscriptions_too_many: 'Höchstens {limit} Abonnements sind möglich. Widerrufen Sie erst eines.',
}

const es: Texts = {
  handoff_not_found: 'No existe la entrega entre socios {handoff}.',
  handoff_status_forbids: '{move} no es posible mientras la entrega entre socios {handoff} esté {status}.',
  handoff_has_expired: 'La entrega entre socios {handoff} ha caducado: se podía decidir hasta {expiry}.',
  handoff_full: 'La entrega entre socios {handoff} no admite más de {limit} de estos.',
  handoff_reference_taken: 'La entrega entre socios {handoff} ya tiene esta partner_reference.',
  handoff_message_not_found: 'No se envió a este socio ningún mensaje con este identificador.',
  amendment_not_found: 'La entrega entre socios {handoff} no tiene la modificación {amendment}.',
  amendment_open: 'La modificación {amendment} de la entrega entre socios {handoff} aún no se ha decidido.',
  amendment_settled: 'La modificación {amendment} ya está {status}.',
  amendment_empty: 'La modificación no cambia nada.',
  handoff_subscription_not_found: 'No existe la suscripción {subscription}.',
  handoff_subscription_exists: 'La suscripción {subscription} ya tiene esta URL.',
  handoff_subscriptions_too_many: 'Son posibles como máximo {limit} suscripciones. Revoque una primero.',
}

const zhHans: Texts = {
  handoff_not_found: '没有移交 {handoff}。',
  handoff_status_forbids: '移交 {handoff} 处于 {status} 状态时不能执行 {move}。',
  handoff_has_expired: '移交 {handoff} 已过期：决定期限为 {expiry}。',
  handoff_full: '移交 {handoff} 最多只能有 {limit} 个此类条目。',
  handoff_reference_taken: '移交 {handoff} 已使用此 partner_reference。',
  handoff_message_not_found: '未向该合作方发送过此标识的消息。',
  amendment_not_found: '移交 {handoff} 没有修改 {amendment}。',
  amendment_open: '移交 {handoff} 的修改 {amendment} 尚未决定。',
  amendment_settled: '修改 {amendment} 已是 {status}。',
  amendment_empty: '该修改没有更改任何内容。',
  handoff_subscription_not_found: '没有订阅 {subscription}。',
  handoff_subscription_exists: '订阅 {subscription} 已使用此 URL。',
  handoff_subscriptions_too_many: '最多可有 {limit} 个订阅。请先撤销一个。',
}

const zhHant: Texts = {
  handoff_not_found: '沒有移交 {handoff}。',
  handoff_status_forbids: '移交 {handoff} 處於 {status} 狀態時不能執行 {move}。',
  handoff_has_expired: '移交 {handoff} 已過期：決定期限為 {expiry}。',
  handoff_full: '移交 {handoff} 最多只能有 {limit} 個此類條目。',
  handoff_reference_taken: '移交 {handoff} 已使用此 partner_reference。',
  handoff_message_not_found: '未向該合作方傳送過此識別碼的訊息。',
  amendment_not_found: '移交 {handoff} 沒有修改 {amendment}。',
  amendment_open: '移交 {handoff} 的修改 {amendment} 尚未決定。',
  amendment_settled: '修改 {amendment} 已是 {status}。',
  amendment_empty: '該修改沒有變更任何內容。',
  handoff_subscription_not_found: '沒有訂閱 {subscription}。',
  handoff_subscription_exists: '訂閱 {subscription} 已使用此 URL。',
  handoff_subscriptions_too_many: '最多可有 {limit} 個訂閱。請先撤銷一個。',
}

/** Orders that partners hand over. */
export const handoffMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
