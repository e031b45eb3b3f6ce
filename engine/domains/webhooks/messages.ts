import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  webhook_url_refused: 'Nothing can be sent to this URL: {reason}.',
  webhook_challenge_failed: 'The URL did not echo the challenge.',
  delivery_not_found: 'There is no delivery {delivery}.',
  delivery_under_way: 'The delivery is not finished yet.',
  delivery_not_retryable: 'Only waiting and dead deliveries can be attempted again.',
  delivery_erased: 'The content of the delivery was erased, so it cannot be sent again.',
  webhook_secret_too_short: 'A signing secret must have at least 16 characters.',
  webhook_secret_too_long: 'A signing secret can have at most 256 characters.',
  webhook_secret_characters: 'A signing secret must not contain control characters, or white space at either end.',
  webhook_secret_not_base64: 'After whsec_, a secret must have 16 to 64 bytes in base64.',
  webhook_secret_missing: 'There is no signing secret yet.',
  endpoint_gone: 'The URL of this delivery is no longer set.',
  too_many_sends: 'Too many deliveries were requested. Try again in {seconds} seconds.',
  webhook_urls_too_many: 'At most 5 URLs are allowed.',
  webhook_mail_unavailable: 'This server sends no e-mails.',
  webhook_url_unknown: 'This URL is not set in this field.',
  webhook_event_unknown: 'There is no such event here.',
  webhook_business_only: 'This setting is only for the business itself.',
  webhook_customer_only: 'This setting is only for customers.',
  webhook_endpoint_not_found: 'There is no such webhook endpoint.',
  webhook_filter_invalid:
    'Write conditions such as type in (D, P) and status not in (1), on members of the data that are no prices.',
  webhook_header_refused: 'This header cannot be set: it is no token of HTTP, or the server sets it itself.',
  webhook_header_value: 'A header value has 1 to 1024 printable ASCII characters, and no space at either end.',
  webhook_queue_not_found: 'There is no such queue of webhook events.',
  webhook_cursor_unknown:
    'This cursor is not known any more. Read without a cursor, from the first event that was not acknowledged.',
  webhook_is_pulled: 'The events of this queue are read by their receiver; nothing is sent.',
  webhook_search_page: 'A search for a text goes on by next_cursor, not by page.',
}

/** A code of webhooks. */
export type WebhookCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<WebhookCode, 'webhooks'> {}
}

const kinds: Readonly<Partial<Record<WebhookCode, Kind>>> = {
  webhook_url_refused: 'invalid',
  webhook_challenge_failed: 'invalid',
  delivery_not_found: 'not_found',
  delivery_under_way: 'conflict',
  delivery_not_retryable: 'conflict',
  delivery_erased: 'gone',
  webhook_secret_missing: 'conflict',
  endpoint_gone: 'conflict',
  too_many_sends: 'too_often',
  webhook_endpoint_not_found: 'not_found',
  webhook_queue_not_found: 'not_found',
  webhook_cursor_unknown: 'gone',
  webhook_is_pulled: 'conflict',
}

type Texts = Readonly<Record<WebhookCode, string>>

const fr: Texts = {
  webhook_url_refused: 'Rien ne peut être envoyé à cette URL : {reason}.',
  webhook_challenge_failed: 'L’URL n’a pas renvoyé le défi.',
  delivery_not_found: 'Il n’y a pas d’envoi {delivery}.',
  delivery_under_way: 'L’envoi n’est pas encore terminé.',
  delivery_not_retryable: 'Seul un envoi en attente ou abandonné peut être retenté.',
  delivery_erased: 'Ce qui a été envoyé a été effacé et ne peut pas être renvoyé.',
  webhook_secret_too_short: 'Un secret de signature a au moins 16 caractères.',
  webhook_secret_too_long: 'Un secret de signature a au plus 256 caractères.',
  webhook_secret_characters: 'Un secret de signature n’a ni caractères de contrôle ni espaces à ses extrémités.',
  webhook_secret_not_base64: 'Ce qui commence par whsec_ doit se poursuivre par 16 à 64 octets en base64.',
  webhook_secret_missing: 'Il n’y a pas encore de secret de signature.',
  endpoint_gone: 'L’URL à laquelle ceci a été envoyé n’est plus configurée.',
  too_many_sends: 'Trop d’envois ont été demandés. Réessayez dans {seconds} secondes.',
  webhook_urls_too_many: 'Au plus 5 URL peuvent figurer ici.',
  webhook_mail_unavailable: 'Ce serveur n’envoie pas d’e-mails.',
  webhook_url_unknown: 'Aucune URL de ce genre n’est définie dans ce champ.',
  webhook_event_unknown: 'Il n’y a pas de tel événement ici.',
  webhook_business_only: 'Seule l’entreprise elle-même peut définir ceci.',
  webhook_customer_only: 'Ceci ne peut être défini que pour un client.',
  webhook_endpoint_not_found: 'Il n’y a pas de tel point de réception de webhooks.',
  webhook_filter_invalid:
    'Écrivez des conditions comme type in (D, P) and status not in (1), sur des membres de data qui ne sont pas des prix.',
  webhook_header_refused:
    'Cet en-tête ne peut pas être défini : ce n’est pas un nom valide en HTTP, ou le serveur le définit lui-même.',
  webhook_header_value: 'La valeur d’un en-tête a 1 à 1024 caractères ASCII imprimables, sans espace à ses extrémités.',
  webhook_queue_not_found: 'Il n’y a pas de file d’événements de ce nom.',
  webhook_cursor_unknown:
    'Ce curseur n’est plus connu. Lisez sans curseur, à partir du premier événement non confirmé.',
  webhook_is_pulled: 'Les événements de cette file sont lus par leur destinataire, et rien n’est envoyé.',
  webhook_search_page: 'La recherche d’un texte se poursuit avec next_cursor, et non avec page.',
}

const de: Texts = {
  webhook_url_refused: 'An diese URL kann nichts gesendet werden: {reason}.',
  webhook_challenge_failed: 'Die URL hat die Aufgabe nicht zurückgesandt.',
  delivery_not_found: 'Es gibt keine Zustellung {delivery}.',
  delivery_under_way: 'Die Zustellung ist noch nicht beendet.',
  delivery_not_retryable: 'Nur eine wartende oder aufgegebene Zustellung kann erneut versucht werden.',
  delivery_erased: 'Was gesendet wurde, ist gelöscht und kann nicht erneut gesendet werden.',
  webhook_secret_too_short: 'Ein Signaturgeheimnis hat mindestens 16 Zeichen.',
  webhook_secret_too_long: 'Ein Signaturgeheimnis hat höchstens 256 Zeichen.',
  webhook_secret_characters: 'Ein Signaturgeheimnis hat keine Steuerzeichen und keine Leerzeichen an seinen Enden.',
  webhook_secret_not_base64: 'Was mit whsec_ beginnt, muss mit 16 bis 64 Bytes in Base64 weitergehen.',
  webhook_secret_missing: 'Es gibt noch kein Signaturgeheimnis.',
  endpoint_gone: 'Die URL, an die dies gesandt wurde, ist nicht mehr eingerichtet.',
  too_many_sends: 'Es wurden zu viele Zustellungen verlangt. Versuchen Sie es in {seconds} Sekunden noch einmal.',
  webhook_urls_too_many: 'Hier dürfen höchstens 5 URLs stehen.',
  webhook_mail_unavailable: 'Dieser Server sendet keine E-Mails.',
  webhook_url_unknown: 'In diesem Feld ist keine solche URL eingestellt.',
  webhook_event_unknown: 'Ein solches Ereignis gibt es hier nicht.',
  webhook_business_only: 'Nur das Unternehmen selbst kann dies einstellen.',
  webhook_customer_only: 'Dies kann nur für einen Kunden eingestellt werden.',
  webhook_endpoint_not_found: 'Einen solchen Webhook-Endpunkt gibt es nicht.',
  webhook_filter_invalid:
    'Bedingungen sehen so aus: type in (D, P) and status not in (1); sie gelten für Angaben in data, die keine Preise sind.',
  webhook_header_refused:
    'Diese Kopfzeile kann nicht gesetzt werden: Sie ist in HTTP kein gültiger Name, oder der Server setzt sie selbst.',
  webhook_header_value:
    'Der Wert einer Kopfzeile hat 1 bis 1024 druckbare ASCII-Zeichen und kein Leerzeichen an seinen Enden.',
  webhook_queue_not_found: 'Es gibt keine solche Warteschlange für Webhook-Ereignisse.',
  webhook_cursor_unknown:
    'Dieser Cursor ist nicht mehr bekannt. Lesen Sie ohne Cursor, ab dem ersten unbestätigten Ereignis.',
  webhook_is_pulled: 'Die Ereignisse dieser Warteschlange liest ihr Empfänger; gesendet wird nichts.',
  webhook_search_page: 'Die Suche nach einem Text wird mit next_cursor fortgesetzt, nicht mit page.',
}

const es: Texts = {
  webhook_url_refused: 'No se puede enviar nada a esta URL: {reason}.',
  webhook_challenge_failed: 'La URL no devolvió el desafío.',
  delivery_not_found: 'No existe el envío {delivery}.',
  delivery_under_way: 'El envío aún no ha terminado.',
  delivery_not_retryable: 'Solo se puede reintentar un envío en espera o abandonado.',
  delivery_erased: 'Lo que se envió fue borrado y no puede enviarse de nuevo.',
  webhook_secret_too_short: 'Un secreto de firma tiene al menos 16 caracteres.',
  webhook_secret_too_long: 'Un secreto de firma tiene como máximo 256 caracteres.',
  webhook_secret_characters: 'Un secreto de firma no tiene caracteres de control ni espacios en sus extremos.',
  webhook_secret_not_base64: 'Lo que empieza por whsec_ debe seguir con 16 a 64 bytes en base64.',
  webhook_secret_missing: 'Todavía no hay un secreto de firma.',
  endpoint_gone: 'La URL a la que se envió esto ya no está configurada.',
  too_many_sends: 'Se han pedido demasiados envíos. Inténtelo de nuevo en {seconds} segundos.',
  webhook_urls_too_many: 'Aquí puede haber como máximo 5 URL.',
  webhook_mail_unavailable: 'Este servidor no envía correos electrónicos.',
  webhook_url_unknown: 'En este campo no hay tal URL.',
  webhook_event_unknown: 'Aquí no existe tal evento.',
  webhook_business_only: 'Solo la propia empresa puede definir esto.',
  webhook_customer_only: 'Esto solo se puede definir para un cliente.',
  webhook_endpoint_not_found: 'No existe tal punto de recepción de webhooks.',
  webhook_filter_invalid:
    'Escriba condiciones como type in (D, P) and status not in (1), sobre miembros de data que no sean precios.',
  webhook_header_refused:
    'Esta cabecera no se puede definir: no es un nombre válido en HTTP, o la define el propio servidor.',
  webhook_header_value:
    'El valor de una cabecera tiene de 1 a 1024 caracteres ASCII imprimibles, sin espacios en sus extremos.',
  webhook_queue_not_found: 'No existe esa cola de eventos de webhooks.',
  webhook_cursor_unknown: 'Este cursor ya no se conoce. Lea sin cursor, desde el primer evento sin confirmar.',
  webhook_is_pulled: 'El destinatario lee los eventos de esta cola; no se envía nada.',
  webhook_search_page: 'La búsqueda de un texto continúa con next_cursor, no con page.',
}

const zhHans: Texts = {
  webhook_url_refused: '无法向此 URL 发送：{reason}。',
  webhook_challenge_failed: '该 URL 未回传质询值。',
  delivery_not_found: '没有投递 {delivery}。',
  delivery_under_way: '该投递尚未结束。',
  delivery_not_retryable: '只有等待中或已放弃的投递才能重试。',
  delivery_erased: '已发送的内容已被删除，无法再次发送。',
  webhook_secret_too_short: '签名密钥至少有 16 个字符。',
  webhook_secret_too_long: '签名密钥最多有 256 个字符。',
  webhook_secret_characters: '签名密钥不含控制字符，首尾不含空白。',
  webhook_secret_not_base64: '以 whsec_ 开头的密钥，其后应为 16 至 64 字节的 base64。',
  webhook_secret_missing: '尚无签名密钥。',
  endpoint_gone: '该投递所发往的 URL 已不再配置。',
  too_many_sends: '请求的发送次数过多。请在 {seconds} 秒后重试。',
  webhook_urls_too_many: '此处最多可填 5 个 URL。',
  webhook_mail_unavailable: '此服务器不发送电子邮件。',
  webhook_url_unknown: '此字段未设置该 URL。',
  webhook_event_unknown: '此处没有该事件。',
  webhook_business_only: '只有企业自身可以设置此项。',
  webhook_customer_only: '此项只能为客户设置。',
  webhook_endpoint_not_found: '没有该 webhook 端点。',
  webhook_filter_invalid: '请写成这样的条件：type in (D, P) and status not in (1)，且只能针对 data 中非价格的成员。',
  webhook_header_refused: '无法设置此请求头：它不是有效的 HTTP 名称，或由服务器自行设置。',
  webhook_header_value: '请求头的值为 1 至 1024 个可打印的 ASCII 字符，首尾不含空格。',
  webhook_queue_not_found: '没有这个 webhook 事件队列。',
  webhook_cursor_unknown: '该游标已无法识别。请不带游标读取，从第一个未确认的事件开始。',
  webhook_is_pulled: '该队列的事件由接收方读取，不会发送。',
  webhook_search_page: '文本搜索请用 next_cursor 继续，而不是 page。',
}

const zhHant: Texts = {
  webhook_url_refused: '無法向此 URL 傳送：{reason}。',
  webhook_challenge_failed: '該 URL 未回傳質詢值。',
  delivery_not_found: '沒有傳送紀錄 {delivery}。',
  delivery_under_way: '該傳送尚未結束。',
  delivery_not_retryable: '只有等待中或已放棄的傳送才能重試。',
  delivery_erased: '已傳送的內容已被刪除，無法再次傳送。',
  webhook_secret_too_short: '簽章密鑰至少有 16 個字元。',
  webhook_secret_too_long: '簽章密鑰最多有 256 個字元。',
  webhook_secret_characters: '簽章密鑰不含控制字元，首尾不含空白。',
  webhook_secret_not_base64: '以 whsec_ 開頭的密鑰，其後應為 16 至 64 位元組的 base64。',
  webhook_secret_missing: '尚無簽章密鑰。',
  endpoint_gone: '該次傳送所用的 URL 已不再設定。',
  too_many_sends: '要求的傳送次數過多。請在 {seconds} 秒後重試。',
  webhook_urls_too_many: '此處最多可填 5 個 URL。',
  webhook_mail_unavailable: '此伺服器不寄送電子郵件。',
  webhook_url_unknown: '此欄位未設定該 URL。',
  webhook_event_unknown: '此處沒有該事件。',
  webhook_business_only: '只有企業自身可以設定此項。',
  webhook_customer_only: '此項只能為客戶設定。',
  webhook_endpoint_not_found: '沒有該 webhook 端點。',
  webhook_filter_invalid: '請寫成這樣的條件：type in (D, P) and status not in (1)，且只能針對 data 中非價格的成員。',
  webhook_header_refused: '無法設定此標頭：它不是有效的 HTTP 名稱，或由伺服器自行設定。',
  webhook_header_value: '標頭的值為 1 至 1024 個可列印的 ASCII 字元，首尾不含空格。',
  webhook_queue_not_found: '沒有這個 webhook 事件佇列。',
  webhook_cursor_unknown: '該游標已無法識別。請不帶游標讀取，從第一個未確認的事件開始。',
  webhook_is_pulled: '該佇列的事件由接收方讀取，不會傳送。',
  webhook_search_page: '文字搜尋請用 next_cursor 繼續，而不是 page。',
}

/** Webhooks. */
export const webhookMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
