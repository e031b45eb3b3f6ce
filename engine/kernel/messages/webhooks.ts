/** Webhooks, in English. */
const en = {
  webhook_url_refused: 'Nothing can be sent to this URL: {reason}.',
  webhook_challenge_failed: 'The URL did not echo the challenge.',
  delivery_not_found: 'There is no delivery {delivery}.',
  delivery_under_way: 'The delivery is not at its end yet.',
  delivery_not_dead: 'Only a dead delivery can be tried again.',
}

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  webhook_url_refused: 'Rien ne peut être envoyé à cette URL : {reason}.',
  webhook_challenge_failed: 'L’URL n’a pas renvoyé le défi.',
  delivery_not_found: 'Il n’y a pas de livraison {delivery}.',
  delivery_under_way: 'La livraison n’est pas encore terminée.',
  delivery_not_dead: 'Seule une livraison abandonnée peut être retentée.',
}

const de: Words = {
  webhook_url_refused: 'An diese URL kann nichts gesendet werden: {reason}.',
  webhook_challenge_failed: 'Die URL hat die Aufgabe nicht zurückgesandt.',
  delivery_not_found: 'Es gibt keine Zustellung {delivery}.',
  delivery_under_way: 'Die Zustellung ist noch nicht beendet.',
  delivery_not_dead: 'Nur eine aufgegebene Zustellung kann erneut versucht werden.',
}

const es: Words = {
  webhook_url_refused: 'No se puede enviar nada a esta URL: {reason}.',
  webhook_challenge_failed: 'La URL no devolvió el desafío.',
  delivery_not_found: 'No existe la entrega {delivery}.',
  delivery_under_way: 'La entrega aún no ha terminado.',
  delivery_not_dead: 'Solo se puede reintentar una entrega abandonada.',
}

const zhHans: Words = {
  webhook_url_refused: '无法向此 URL 发送：{reason}。',
  webhook_challenge_failed: '该 URL 未回传质询值。',
  delivery_not_found: '没有投递 {delivery}。',
  delivery_under_way: '该投递尚未结束。',
  delivery_not_dead: '只有已放弃的投递才能重试。',
}

const zhHant: Words = {
  webhook_url_refused: '無法向此 URL 傳送：{reason}。',
  webhook_challenge_failed: '該 URL 未回傳質詢值。',
  delivery_not_found: '沒有投遞 {delivery}。',
  delivery_under_way: '該投遞尚未結束。',
  delivery_not_dead: '只有已放棄的投遞才能重試。',
}

/** Webhooks: the messages in every language. */
export const webhooks = { en, fr, de, es, zhHans, zhHant }
