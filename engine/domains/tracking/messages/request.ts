import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  unknown_format: 'There is no format {received}. Formats: {expected}.',
  events_not_in_format: 'The format {received} has no list of events. Formats that have one: {expected}.',
  only_of_otep: 'Only the format otep has pages.',
  format_not_read: 'Documents of the format {received} cannot be read. These can: {expected}.',
  resource_not_found: 'The document has no such part.',
  timeline_not_found: 'Nothing is known of this tracking number.',
  unknown_event: 'There is no event {received} in this timeline.',
  ambiguous_identifier: 'The {kind} {value} belongs to several timelines: {candidates}. Name one of them.',
  wrong_postal_code: 'The postal code is not that of the delivery.',
  invalid_link: 'The link is not valid for this number, or it has expired.',
  batch_too_large: 'The whole answer would be too large. Request this number separately.',
  member_too_late: 'In a stream, {field} must come before {before}.',
  too_many_events: 'One call can have at most {limit} events.',
  too_many_refused: 'More than {limit} events were refused. The rest was not read.',
  nothing_accepted: 'No event was accepted. The reasons are listed for each event.',
  nothing_stored: '{count} event(s) were refused, so nothing was stored: the call was all or nothing.',
  other_business: 'This belongs to a business that this provider does not report for.',
  not_sscc: 'Expected an SSCC: 18 digits.',
  not_gln: 'Expected a GLN: 13 digits.',
  not_unlocode: 'Expected a UN/LOCODE: two capital letters for the country, and three letters or digits for the place.',
  check_digit: 'The last digit is not the check digit of the others.',
}

/** A code of refusals of requests for timelines and of ingested events. */
export type TrackingRequestCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<TrackingRequestCode, 'tracking/request'> {}
}

const kinds: Readonly<Partial<Record<TrackingRequestCode, Kind>>> = {
  unknown_format: 'bad_request',
  events_not_in_format: 'bad_request',
  format_not_read: 'bad_request',
  resource_not_found: 'not_found',
  timeline_not_found: 'not_found',
  ambiguous_identifier: 'conflict',
  wrong_postal_code: 'forbidden',
  invalid_link: 'forbidden',
  member_too_late: 'bad_request',
  too_many_events: 'too_large',
  too_many_refused: 'invalid',
  nothing_accepted: 'invalid',
  nothing_stored: 'invalid',
}

type Texts = Readonly<Record<TrackingRequestCode, string>>

const fr: Texts = {
  unknown_format: 'Le format {received} n’existe pas. Formats disponibles : {expected}.',
  events_not_in_format: 'Le format {received} n’a pas de liste d’événements. Formats qui en ont une : {expected}.',
  only_of_otep: 'Seul le format otep a des pages.',
  format_not_read: 'Les documents au format {received} ne peuvent pas être lus. Formats lus : {expected}.',
  resource_not_found: 'Le document ne contient pas cette partie.',
  timeline_not_found: 'Ce numéro de suivi est inconnu.',
  unknown_event: 'Cette chronologie ne contient pas d’événement {received}.',
  ambiguous_identifier: '{kind} {value} correspond à plusieurs chronologies : {candidates}. Indiquez l’une d’elles.',
  wrong_postal_code: 'Le code postal n’est pas celui de la livraison.',
  invalid_link: 'Le lien n’est pas valable pour ce numéro, ou il a expiré.',
  batch_too_large: 'La réponse serait trop volumineuse dans son ensemble. Demandez ce numéro séparément.',
  member_too_late: 'Dans un flux, {field} doit précéder {before}.',
  too_many_events: 'Une requête accepte au plus {limit} événements.',
  too_many_refused: 'Plus de {limit} événements ont été refusés. La suite n’a pas été lue.',
  nothing_accepted: 'Aucun événement n’a été accepté ; les motifs sont indiqués pour chacun.',
  nothing_stored:
    'Le mode tout ou rien était demandé et {count} événement(s) ont été refusés : rien n’a été enregistré.',
  other_business: 'Ceci appartient à une autre entreprise que celle pour laquelle ce fournisseur transmet.',
  not_sscc: 'SSCC attendu : 18 chiffres.',
  not_gln: 'GLN attendu : 13 chiffres.',
  not_unlocode: 'UN/LOCODE attendu : deux majuscules pour le pays, trois lettres ou chiffres pour le lieu.',
  check_digit: 'Le dernier chiffre n’est pas la clé de contrôle des autres.',
}

const de: Texts = {
  unknown_format: 'Das Format {received} gibt es nicht. Verfügbare Formate: {expected}.',
  events_not_in_format: 'Das Format {received} hat keine Liste von Ereignissen. Formate, die eine haben: {expected}.',
  only_of_otep: 'Nur das Format otep hat Seiten.',
  format_not_read: 'Dokumente im Format {received} können nicht gelesen werden. Lesbar sind: {expected}.',
  resource_not_found: 'Das Dokument hat keinen solchen Teil.',
  timeline_not_found: 'Diese Sendungsnummer ist unbekannt.',
  unknown_event: 'In diesem Verlauf gibt es kein Ereignis {received}.',
  ambiguous_identifier: '{kind} {value} gehört zu mehreren Verläufen: {candidates}. Geben Sie einen davon an.',
  wrong_postal_code: 'Die Postleitzahl ist nicht die der Zustellung.',
  invalid_link: 'Der Link gilt nicht für diese Nummer, oder er ist abgelaufen.',
  batch_too_large: 'Die Antwort würde insgesamt zu groß. Fragen Sie diese Nummer einzeln ab.',
  member_too_late: 'In einem Strom muss {field} vor {before} stehen.',
  too_many_events: 'Eine Anfrage darf höchstens {limit} Ereignisse enthalten.',
  too_many_refused: 'Mehr als {limit} Ereignisse wurden abgelehnt. Was folgt, wurde nicht gelesen.',
  nothing_accepted: 'Kein Ereignis wurde angenommen; die Gründe stehen beim jeweiligen Ereignis.',
  nothing_stored:
    'Alles oder nichts war verlangt, und {count} Ereignis(se) wurden abgelehnt: Nichts wurde gespeichert.',
  other_business: 'Dies gehört zu einem anderen Unternehmen als dem, für das dieser Anbieter meldet.',
  not_sscc: 'Eine SSCC wird erwartet: 18 Ziffern.',
  not_gln: 'Eine GLN wird erwartet: 13 Ziffern.',
  not_unlocode:
    'Ein UN/LOCODE wird erwartet: zwei Großbuchstaben für das Land, drei Buchstaben oder Ziffern für den Ort.',
  check_digit: 'Die letzte Ziffer ist nicht die Prüfziffer der übrigen.',
}

const es: Texts = {
  unknown_format: 'El formato {received} no existe. Formatos disponibles: {expected}.',
  events_not_in_format: 'El formato {received} no tiene una lista de eventos. Formatos que la tienen: {expected}.',
  only_of_otep: 'Solo el formato otep tiene páginas.',
  format_not_read: 'Los documentos del formato {received} no se pueden leer. Se pueden leer: {expected}.',
  resource_not_found: 'El documento no tiene esa parte.',
  timeline_not_found: 'No se conoce este número de seguimiento.',
  unknown_event: 'En esta cronología no hay ningún evento {received}.',
  ambiguous_identifier: '{kind} {value} corresponde a varias cronologías: {candidates}. Indique una de ellas.',
  wrong_postal_code: 'El código postal no es el de la entrega.',
  invalid_link: 'El enlace no es válido para este número o ha caducado.',
  batch_too_large: 'La respuesta sería demasiado grande en conjunto. Consulte este número por separado.',
  member_too_late: 'En un flujo, {field} debe preceder a {before}.',
  too_many_events: 'Una solicitud admite como máximo {limit} eventos.',
  too_many_refused: 'Se rechazaron más de {limit} eventos. Lo que sigue no se leyó.',
  nothing_accepted: 'No se ha aceptado ningún evento; los motivos se indican en cada uno.',
  nothing_stored: 'Se pidió todo o nada y se han rechazado {count} evento(s): no se ha guardado nada.',
  other_business: 'Esto pertenece a otra empresa que aquella para la que informa este proveedor.',
  not_sscc: 'Se espera un SSCC: 18 dígitos.',
  not_gln: 'Se espera un GLN: 13 dígitos.',
  not_unlocode: 'Se espera un UN/LOCODE: dos mayúsculas para el país y tres letras o dígitos para el lugar.',
  check_digit: 'El último dígito no es el dígito de control de los demás.',
}

const zhHans: Texts = {
  unknown_format: '没有名为 {received} 的格式。可用格式：{expected}。',
  events_not_in_format: '格式 {received} 没有事件列表。有事件列表的格式：{expected}。',
  only_of_otep: '只有格式 otep 可以分页。',
  format_not_read: '无法读取 {received} 格式的文档。可读取的格式：{expected}。',
  resource_not_found: '文档中没有这一部分。',
  timeline_not_found: '未找到该跟踪号的任何信息。',
  unknown_event: '此时间线中没有事件 {received}。',
  ambiguous_identifier: '{kind} {value} 属于多条时间线：{candidates}。请指定其中一条。',
  wrong_postal_code: '邮政编码与配送地址不符。',
  invalid_link: '该链接不适用于此单号，或已过期。',
  batch_too_large: '合并后的响应过大。请单独查询此编号。',
  member_too_late: '在流中，{field} 必须位于 {before} 之前。',
  too_many_events: '一次请求最多包含 {limit} 个事件。',
  too_many_refused: '被拒绝的事件超过 {limit} 个。其后的内容未读取。',
  nothing_accepted: '没有事件被接受；各事件的原因已分别列出。',
  nothing_stored: '请求要求全部写入或全部不写入，但有 {count} 个事件被拒绝：未存储任何事件。',
  other_business: '这属于另一家企业，而不是该提供方所代表的企业。',
  not_sscc: '应为 SSCC：18 位数字。',
  not_gln: '应为 GLN：13 位数字。',
  not_unlocode: '应为 UN/LOCODE：两个大写字母表示国家，三个字母或数字表示地点。',
  check_digit: '最后一位不是其余数字的校验码。',
}

const zhHant: Texts = {
  unknown_format: '沒有名為 {received} 的格式。可用格式：{expected}。',
  events_not_in_format: '格式 {received} 沒有事件清單。有事件清單的格式：{expected}。',
  only_of_otep: '只有格式 otep 可以分頁。',
  format_not_read: '無法讀取 {received} 格式的文件。可讀取的格式：{expected}。',
  resource_not_found: '文件中沒有這一部分。',
  timeline_not_found: '查無此追蹤號碼的任何資訊。',
  unknown_event: '此時間線中沒有事件 {received}。',
  ambiguous_identifier: '{kind} {value} 屬於多條時間線：{candidates}。請指定其中一條。',
  wrong_postal_code: '郵遞區號與配送地址不符。',
  invalid_link: '該連結不適用於此單號，或已過期。',
  batch_too_large: '合併後的回應過大。請單獨查詢此編號。',
  member_too_late: '在串流中，{field} 必須位於 {before} 之前。',
  too_many_events: '一次請求最多包含 {limit} 個事件。',
  too_many_refused: '被拒絕的事件超過 {limit} 個。其後的內容未讀取。',
  nothing_accepted: '沒有事件被接受；各事件的原因已分別列出。',
  nothing_stored: '請求要求全部寫入或全部不寫入，但有 {count} 個事件遭拒絕：未儲存任何事件。',
  other_business: '這屬於另一家企業，而不是該提供方所代表的企業。',
  not_sscc: '應為 SSCC：18 位數字。',
  not_gln: '應為 GLN：13 位數字。',
  not_unlocode: '應為 UN/LOCODE：兩個大寫字母表示國家，三個字母或數字表示地點。',
  check_digit: '最後一位不是其餘數字的檢查碼。',
}

/** Refusals of requests for timelines and of ingested events. */
export const trackingRequestMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
