import type { Catalogue } from '../../../kernel/catalogue.ts'

const en = {
  zone_assumed: 'The time has no zone. It is read as UTC and stored with the offset -00:00.',
  meaning_unknown: 'The meaning of {received} is not known. It was read as {decided}.',
  not_epcis: 'Expected an EPCISDocument, an EPCISQueryDocument, or an EPCIS event with its @context.',
  unknown_context: '{received} is not a known context, and contexts are not fetched. Known: {expected}.',
  undeclared_prefix: 'The prefix {received} is not declared.',
  reserved_term: '{received} is an EPCIS term and cannot be redefined.',
  not_a_uri: 'Expected an absolute URI.',
  not_an_event_id: 'Expected a UUID as a URN, or a SHA-256 as a ni URI.',
  not_an_offset: 'Expected an offset from UTC, for example +01:00 or -05:00.',
  unknown_cbv_word: '{received} is neither a CBV value of {field} nor a URI outside GS1.',
  allowed_only_with: '{field} is only allowed with {expected}.',
  corrects_itself: 'An event cannot correct itself.',
  not_taken: '{field} is not taken over.',
  class_level: '{received} names a class of things, not a single thing, so it belongs to no timeline.',
  no_single_thing: 'The event does not name a single tracked thing.',
  element_order: '{field} is not where the schema requires it.',
  code_decided: '{received} can mean several codes. It was read as {decided}.',
  code_missing: '{received} has no separate code. It was read as {decided}.',
  read_as: '{received} cannot be stored as it is. It was read as {decided}.',
  event_hash_differs: 'The id is not the hash of this event, which is {expected}.',
}

/** A code of findings in documents of other formats. */
export type ReadingCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<ReadingCode, 'tracking/reading'> {}
}

type Texts = Readonly<Record<ReadingCode, string>>

const fr: Texts = {
  zone_assumed: 'L’heure n’a pas de fuseau. Elle est lue comme UTC et conservée avec le décalage -00:00.',
  meaning_unknown: 'La signification de {received} n’est pas connue ici. C’est lu comme {decided}.',
  not_epcis: 'Un EPCISDocument, un EPCISQueryDocument ou un événement EPCIS avec son @context est attendu.',
  unknown_context:
    '{received} n’est pas un contexte connu ici, et aucun n’est téléchargé. Contextes connus : {expected}.',
  undeclared_prefix: 'Le préfixe {received} n’est pas déclaré.',
  reserved_term: '{received} est un terme d’EPCIS et ne peut pas être redéfini.',
  not_a_uri: 'Un URI absolu est attendu.',
  not_an_event_id: 'Un UUID sous forme d’URN ou un SHA-256 sous forme d’URI ni est attendu.',
  not_an_offset: 'Un décalage par rapport à UTC est attendu, par exemple +01:00 ou -05:00.',
  unknown_cbv_word: '{received} n’est ni un mot du CBV pour {field}, ni un URI hors de GS1.',
  allowed_only_with: '{field} n’est admis qu’avec {expected}.',
  corrects_itself: 'Un événement ne peut pas être sa propre correction.',
  not_taken: '{field} n’est pas repris.',
  class_level: '{received} désigne une classe d’objets, et non un objet précis, et ne concerne aucune chronologie.',
  no_single_thing: 'L’événement ne désigne aucun objet précis qui soit suivi.',
  element_order: '{field} n’est pas à la place prévue par le schéma.',
  code_decided: '{received} peut correspondre à plusieurs codes. Il a été lu comme {decided}.',
  code_missing: '{received} n’a pas de code propre. Il a été lu comme {decided}.',
  read_as: '{received} ne peut pas être conservé tel quel. Il a été lu comme {decided}.',
  event_hash_differs: 'L’identifiant n’est pas l’empreinte de cet événement, qui est {expected}.',
}

const de: Texts = {
  zone_assumed: 'Die Zeit hat keine Zone. Sie wird als UTC gelesen und mit der Abweichung -00:00 behalten.',
  meaning_unknown: 'Was {received} bedeutet, ist hier nicht bekannt. Es wird als {decided} gelesen.',
  not_epcis: 'Erwartet wird ein EPCISDocument, ein EPCISQueryDocument oder ein EPCIS-Ereignis mit seinem @context.',
  unknown_context: '{received} ist hier kein bekannter Kontext, und keiner wird geladen. Bekannt sind: {expected}.',
  undeclared_prefix: 'Das Präfix {received} ist nicht deklariert.',
  reserved_term: '{received} ist ein Wort von EPCIS und kann nicht neu deklariert werden.',
  not_a_uri: 'Erwartet wird ein absoluter URI.',
  not_an_event_id: 'Erwartet wird eine UUID als URN oder ein SHA-256 als ni-URI.',
  not_an_offset: 'Erwartet wird ein Abstand zu UTC wie +01:00 oder -05:00.',
  unknown_cbv_word: '{received} ist weder ein Wort des CBV für {field} noch ein URI außerhalb von GS1.',
  allowed_only_with: '{field} ist nur mit {expected} erlaubt.',
  corrects_itself: 'Ein Ereignis kann nicht seine eigene Berichtigung sein.',
  not_taken: '{field} wird nicht übernommen.',
  class_level: '{received} nennt eine Klasse von Dingen, kein einzelnes Ding, und betrifft keine Zeitleiste.',
  no_single_thing: 'Das Ereignis nennt kein einzelnes Ding, das verfolgt wird.',
  element_order: '{field} steht nicht dort, wo das Schema es vorsieht.',
  code_decided: '{received} kann mehrere Codes bedeuten. Gelesen wurde es als {decided}.',
  code_missing: '{received} hat keinen eigenen Code. Gelesen wurde es als {decided}.',
  read_as: '{received} kann so nicht gespeichert werden. Gelesen wurde es als {decided}.',
  event_hash_differs: 'Die Id ist nicht der Hash dieses Ereignisses; er lautet {expected}.',
}

const es: Texts = {
  zone_assumed: 'La hora no tiene zona. Se lee como UTC y se conserva con el desfase -00:00.',
  meaning_unknown: 'Aquí no se sabe qué significa {received}. Se lee como {decided}.',
  not_epcis: 'Se esperaba un EPCISDocument, un EPCISQueryDocument o un evento EPCIS con su @context.',
  unknown_context:
    '{received} no es un contexto conocido aquí, y no se descarga ninguno. Contextos conocidos: {expected}.',
  undeclared_prefix: 'El prefijo {received} no está declarado.',
  reserved_term: '{received} es un término de EPCIS y no se puede volver a declarar.',
  not_a_uri: 'Se esperaba un URI absoluto.',
  not_an_event_id: 'Se esperaba un UUID como URN o un SHA-256 como URI ni.',
  not_an_offset: 'Se esperaba un desfase respecto a UTC, como +01:00 o -05:00.',
  unknown_cbv_word: '{received} no es una palabra de CBV para {field} ni un URI ajeno a GS1.',
  allowed_only_with: '{field} solo se admite con {expected}.',
  corrects_itself: 'Un evento no puede ser su propia corrección.',
  not_taken: '{field} no se incorpora.',
  class_level: '{received} nombra una clase de cosas, no una cosa concreta, y no afecta a ninguna cronología.',
  no_single_thing: 'El evento no nombra ninguna cosa concreta que se siga.',
  element_order: '{field} no está donde lo prevé el esquema.',
  code_decided: '{received} puede corresponder a varios códigos. Se ha leído como {decided}.',
  code_missing: '{received} no tiene código propio. Se ha leído como {decided}.',
  read_as: '{received} no se puede guardar tal cual. Se ha leído como {decided}.',
  event_hash_differs: 'El identificador no es el hash de este evento, que es {expected}.',
}

const zhHans: Texts = {
  zone_assumed: '该时间没有时区，按 UTC 读取，并以偏移 -00:00 保存。',
  meaning_unknown: '此处不知道 {received} 的含义，按 {decided} 读取。',
  not_epcis: '应为 EPCISDocument、EPCISQueryDocument，或带有 @context 的 EPCIS 事件。',
  unknown_context: '{received} 不是此处已知的上下文，且不会下载任何上下文。已知的上下文：{expected}。',
  undeclared_prefix: '前缀 {received} 未声明。',
  reserved_term: '{received} 是 EPCIS 的术语，不能重新声明。',
  not_a_uri: '应为绝对 URI。',
  not_an_event_id: '应为 URN 形式的 UUID，或 ni URI 形式的 SHA-256。',
  not_an_offset: '应为相对于 UTC 的偏移量，例如 +01:00 或 -05:00。',
  unknown_cbv_word: '{received} 既不是 CBV 中用于 {field} 的词，也不是 GS1 之外的 URI。',
  allowed_only_with: '只有存在 {expected} 时才允许使用 {field}。',
  corrects_itself: '事件不能是对其自身的更正。',
  not_taken: '不会采用 {field}。',
  class_level: '{received} 表示一类物品，而不是单个物品，与任何时间线都无关。',
  no_single_thing: '该事件未指明任何被追踪的单个物品。',
  element_order: '{field} 不在架构规定的位置。',
  code_decided: '{received} 可能对应多个代码。已按 {decided} 读取。',
  code_missing: '{received} 没有专用代码。已按 {decided} 读取。',
  read_as: '{received} 无法按原样保存。已按 {decided} 读取。',
  event_hash_differs: '该标识不是此事件的哈希值；哈希值为 {expected}。',
}

const zhHant: Texts = {
  zone_assumed: '該時間沒有時區，按 UTC 讀取，並以偏移 -00:00 保存。',
  meaning_unknown: '此處不知道 {received} 的含義，按 {decided} 讀取。',
  not_epcis: '應為 EPCISDocument、EPCISQueryDocument，或帶有 @context 的 EPCIS 事件。',
  unknown_context: '{received} 不是此處已知的上下文，且不會下載任何上下文。已知的上下文：{expected}。',
  undeclared_prefix: '前綴 {received} 未宣告。',
  reserved_term: '{received} 是 EPCIS 的術語，不能重新宣告。',
  not_a_uri: '應為絕對 URI。',
  not_an_event_id: '應為 URN 形式的 UUID，或 ni URI 形式的 SHA-256。',
  not_an_offset: '應為相對於 UTC 的偏移量，例如 +01:00 或 -05:00。',
  unknown_cbv_word: '{received} 既不是 CBV 中用於 {field} 的詞，也不是 GS1 之外的 URI。',
  allowed_only_with: '只有存在 {expected} 時才允許使用 {field}。',
  corrects_itself: '事件不能是對其自身的更正。',
  not_taken: '不會採用 {field}。',
  class_level: '{received} 表示一類物品，而不是單個物品，與任何時間線都無關。',
  no_single_thing: '該事件未指明任何被追蹤的單個物品。',
  element_order: '{field} 不在結構描述規定的位置。',
  code_decided: '{received} 可能對應多個代碼。已按 {decided} 讀取。',
  code_missing: '{received} 沒有專用代碼。已按 {decided} 讀取。',
  read_as: '{received} 無法按原樣保存。已按 {decided} 讀取。',
  event_hash_differs: '該識別碼不是此事件的雜湊值；雜湊值為 {expected}。',
}

/** Findings in documents of other formats. */
export const readingMessages: Catalogue = { en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
