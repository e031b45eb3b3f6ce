import type { Catalogue } from '../../../kernel/catalogue.ts'

const en = {
  occurred_at_required: 'occurred_at is required (ISO-8601 with offset)',
  unsupported_version: 'Protocol version {received} is not supported. Supported: {expected}.',
  unknown_profile: 'There is no profile {received}. Profiles: {expected}.',
  unknown_status_code: '{received} is not a code of the profile {profile}. Unregistered codes start with x-.',
  experimental_code: '{received} is an unregistered code. It is accepted, but level 2 only allows registered codes.',
  no_identifier: 'The subject needs at least one identifier: {expected}.',
  phase_mismatch: 'The phase of {code} is {expected}, not {received}.',
  current_status_mismatch: 'According to the events, the current status is {expected}, not {received}.',
  delivered_mismatch: 'According to the events, delivered is {expected}.',
  events_or_status_required: 'A timeline needs events, or a current_status if its source has no history.',
  source_missing: 'The event does not say who reported it (source.type).',
  duplicate_event_id: 'event_id {received} is already used at {first}.',
  out_of_order: 'This event occurred before the one above it. Events are ordered by time of occurrence.',
  in_future: 'This is more than a day in the future.',
  first_step_skipped: 'A timeline does not begin with {to}; expected one of: {expected}.',
  step_skipped: '{from} -> {to} skips a step; expected one of: {expected}.',
  after_terminal: '{to} comes after the terminal status {from}, which remains in force.',
  impossible_transition: '{from} -> {to} is not possible.',
  no_projection: 'No projection to an external standard covers every code of this timeline.',
  projection_misfit:
    'The document of this timeline in the format {format} does not fit the schema of that format at {path}.',
  unexpected_proof: 'Events with the code {code} cannot carry proof.',
  event_id_conflict: 'event_id {received} is already recorded with another {field}: {recorded}.',
  event_id_reused: 'An event with the id {received} is already recorded, and it says something else.',
  field_differs: '{field} is already recorded with another value, which is kept. Withdraw the event to correct it.',
  personal_data_dropped:
    'The personal data in this event is not stored, because the personal data of this timeline was erased.',
  source_mismatch: 'These credentials can only write as {expected}, not as {received}.',
  other_identifier: 'The timeline of {owner} has another {kind}: {known}, not {value}.',
  other_profile: 'The timeline of {owner} uses the profile {known}, not {received}.',
  identifiers_disagree:
    '{kind} {value} belongs to the timeline of {owner}, but {other} belongs to the timeline of {otherOwner}.',
}

/** A code for a deviation of an event or a timeline from the protocol or from earlier records. */
export type ProtocolCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<ProtocolCode, 'tracking/protocol'> {}
}

type Texts = Readonly<Record<ProtocolCode, string>>

const fr: Texts = {
  occurred_at_required: 'occurred_at est obligatoire (ISO 8601 avec décalage UTC)',
  unsupported_version:
    'La version {received} du protocole n’est pas prise en charge. Versions prises en charge : {expected}.',
  unknown_profile: 'Le profil {received} n’existe pas. Profils disponibles : {expected}.',
  unknown_status_code: '{received} n’est pas un code du profil {profile}. Un code non enregistré commence par x-.',
  experimental_code: '{received} est un code non enregistré, lu comme tel ; level 2 n’admet que des codes enregistrés.',
  no_identifier: 'L’objet suivi (subject) doit porter au moins un identifiant : {expected}.',
  phase_mismatch: 'La phase de {code} est {expected}, et non {received}.',
  current_status_mismatch: 'D’après les événements, le statut actuel est {expected}, et non {received}.',
  delivered_mismatch: 'D’après les événements, delivered = {expected}.',
  events_or_status_required:
    'Une chronologie doit contenir des événements, ou un current_status si la source n’a pas d’historique.',
  source_missing: 'L’événement n’indique pas qui l’a signalé (source.type).',
  duplicate_event_id: 'event_id {received} figure déjà en {first}.',
  out_of_order:
    'Cet événement s’est produit avant celui qui le précède. Les événements sont classés dans l’ordre où ils se sont produits.',
  in_future: 'Cet instant se situe à plus d’un jour dans le futur.',
  first_step_skipped: 'Une chronologie ne commence pas par {to} ; valeurs attendues : {expected}.',
  step_skipped: '{from} -> {to} saute une étape ; l’une des suivantes était attendue : {expected}.',
  after_terminal: '{to} vient après le statut final {from}, qui est maintenu.',
  impossible_transition: '{from} -> {to} n’est pas possible.',
  no_projection: 'Aucune projection vers une norme externe n’accepte tous les codes de cette chronologie.',
  projection_misfit:
    'Le document de cette chronologie au format {format} ne correspond pas au schéma de ce format, à {path}.',
  unexpected_proof: 'Les événements du code {code} ne portent pas de preuve.',
  event_id_conflict: 'event_id {received} a déjà été enregistré avec une autre valeur de {field} : {recorded}.',
  event_id_reused: 'Un événement avec l’identifiant {received} est déjà enregistré, et son contenu est autre.',
  field_differs:
    '{field} a été enregistré avec une autre valeur, qui est conservée. Retirez l’événement pour la corriger.',
  personal_data_dropped:
    'Ce qui est dit ici de personnes n’est pas conservé : les données personnelles de la chronologie ont été effacées.',
  source_mismatch: 'Cette clé écrit au nom de {expected}, et non de {received}.',
  other_identifier: 'La chronologie de {owner} a un autre {kind} : {known}, et non {value}.',
  other_profile: 'La chronologie de {owner} suit le profil {known}, et non {received}.',
  identifiers_disagree: '{kind} {value} appartient à la chronologie de {owner}, {other} à celle de {otherOwner}.',
}

const de: Texts = {
  occurred_at_required: 'occurred_at ist erforderlich (ISO 8601 mit UTC-Offset)',
  unsupported_version: 'Version {received} des Protokolls wird nicht unterstützt. Unterstützt: {expected}.',
  unknown_profile: 'Das Profil {received} gibt es nicht. Verfügbare Profile: {expected}.',
  unknown_status_code: '{received} ist kein Code des Profils {profile}. Ein nicht registrierter Code beginnt mit x-.',
  experimental_code:
    '{received} ist ein nicht registrierter Code und wird als solcher gelesen; level 2 lässt nur registrierte Codes zu.',
  no_identifier: 'Das verfolgte Objekt (subject) braucht mindestens eine Kennung: {expected}.',
  phase_mismatch: 'Die Phase von {code} ist {expected}, nicht {received}.',
  current_status_mismatch: 'Aus den Ereignissen ergibt sich der aktuelle Status {expected}, nicht {received}.',
  delivered_mismatch: 'Aus den Ereignissen ergibt sich delivered = {expected}.',
  events_or_status_required:
    'Ein Verlauf braucht Ereignisse oder, wenn die Quelle keine Historie hat, einen current_status.',
  source_missing: 'Das Ereignis gibt nicht an, wer es gemeldet hat (source.type).',
  duplicate_event_id: 'event_id {received} steht bereits unter {first}.',
  out_of_order:
    'Dieses Ereignis ist vor dem darüberstehenden eingetreten. Ereignisse werden nach dem Zeitpunkt ihres Eintretens geordnet.',
  in_future: 'Dieser Zeitpunkt liegt mehr als einen Tag in der Zukunft.',
  first_step_skipped: 'Ein Verlauf beginnt nicht mit {to}; erwartet wird: {expected}.',
  step_skipped: '{from} -> {to} überspringt einen Schritt; erwartet wird einer von: {expected}.',
  after_terminal: '{to} folgt auf den Endstatus {from}, der bestehen bleibt.',
  impossible_transition: '{from} -> {to} ist nicht möglich.',
  no_projection: 'Keine Projektion in einen externen Standard nimmt alle Codes dieses Verlaufs auf.',
  projection_misfit:
    'Das Dokument dieses Verlaufs im Format {format} passt bei {path} nicht zum Schema dieses Formats.',
  unexpected_proof: 'Ereignisse mit dem Code {code} tragen keinen Nachweis.',
  event_id_conflict: 'Zu event_id {received} ist für {field} bereits ein anderer Wert aufgezeichnet: {recorded}.',
  event_id_reused: 'Ein Ereignis mit der Kennung {received} ist bereits aufgezeichnet und sagt etwas anderes.',
  field_differs:
    'Für {field} ist ein anderer Wert aufgezeichnet, der bestehen bleibt. Ziehen Sie das Ereignis zurück, um ihn zu korrigieren.',
  personal_data_dropped:
    'Was hier über Personen steht, wird nicht aufbewahrt: Die Angaben des Verlaufs wurden gelöscht.',
  source_mismatch: 'Mit diesen Zugangsdaten schreiben Sie als {expected}, nicht als {received}.',
  other_identifier: 'Der Verlauf von {owner} hat {kind} {known}, nicht {value}.',
  other_profile: 'Der Verlauf von {owner} hat das Profil {known}, nicht {received}.',
  identifiers_disagree: '{kind} {value} gehört zum Verlauf von {owner}, {other} zu dem von {otherOwner}.',
}

const es: Texts = {
  occurred_at_required: 'occurred_at es obligatorio (ISO 8601 con desfase UTC)',
  unsupported_version: 'No se admite la versión {received} del protocolo. Versiones admitidas: {expected}.',
  unknown_profile: 'El perfil {received} no existe. Perfiles disponibles: {expected}.',
  unknown_status_code: '{received} no es un código del perfil {profile}. Un código no registrado empieza por x-.',
  experimental_code:
    '{received} es un código no registrado y se lee como tal; level 2 solo admite códigos registrados.',
  no_identifier: 'El objeto del seguimiento (subject) necesita al menos un identificador: {expected}.',
  phase_mismatch: 'La fase de {code} es {expected}, no {received}.',
  current_status_mismatch: 'Según los eventos, el estado actual es {expected}, no {received}.',
  delivered_mismatch: 'Según los eventos, delivered = {expected}.',
  events_or_status_required: 'Una cronología necesita eventos, o un current_status si la fuente no tiene historial.',
  source_missing: 'El evento no indica quién lo comunicó (source.type).',
  duplicate_event_id: 'event_id {received} ya figura en {first}.',
  out_of_order:
    'Este evento ocurrió antes que el que lo precede. Los eventos se ordenan por el momento en que ocurrieron.',
  in_future: 'Este momento está a más de un día en el futuro.',
  first_step_skipped: 'Una cronología no empieza con {to}; se espera: {expected}.',
  step_skipped: '{from} -> {to} se salta un paso; se esperaba uno de: {expected}.',
  after_terminal: '{to} llega después del estado final {from}, que se mantiene.',
  impossible_transition: '{from} -> {to} no es posible.',
  no_projection: 'Ninguna proyección a un estándar externo admite todos los códigos de esta cronología.',
  projection_misfit:
    'El documento de esta cronología en el formato {format} no cumple el esquema de ese formato en {path}.',
  unexpected_proof: 'Los eventos con el código {code} no llevan prueba.',
  event_id_conflict: 'event_id {received} ya se registró con otro valor de {field}: {recorded}.',
  event_id_reused: 'Ya se registró un evento con el identificador {received}, y su contenido es otro.',
  field_differs: '{field} se registró con otro valor, que se mantiene. Retire el evento para corregirlo.',
  personal_data_dropped:
    'Lo que esto dice de personas no se conserva: los datos personales de la cronología se borraron.',
  source_mismatch: 'Con estas credenciales se escribe como {expected}, no como {received}.',
  other_identifier: 'La cronología de {owner} tiene otro {kind}: {known}, no {value}.',
  other_profile: 'La cronología de {owner} es del perfil {known}, no de {received}.',
  identifiers_disagree: '{kind} {value} pertenece a la cronología de {owner}; {other}, a la de {otherOwner}.',
}

const zhHans: Texts = {
  occurred_at_required: 'occurred_at 为必填项（带 UTC 偏移量的 ISO 8601 格式）',
  unsupported_version: '不支持协议版本 {received}。支持的版本：{expected}。',
  unknown_profile: '没有名为 {received} 的 profile。可用的 profile：{expected}。',
  unknown_status_code: '{received} 不是 profile {profile} 的代码。未注册的代码以 x- 开头。',
  experimental_code: '{received} 是未注册的代码，按未注册代码读取；level 2 只接受已注册的代码。',
  no_identifier: '跟踪对象（subject）至少需要一个标识符：{expected}。',
  phase_mismatch: '{code} 的阶段是 {expected}，而不是 {received}。',
  current_status_mismatch: '根据事件，当前状态为 {expected}，而不是 {received}。',
  delivered_mismatch: '根据事件，delivered = {expected}。',
  events_or_status_required: '时间线需要包含事件；如果来源没有历史记录，则需要 current_status。',
  source_missing: '事件未说明由谁报告（source.type）。',
  duplicate_event_id: 'event_id {received} 已在 {first} 中出现。',
  out_of_order: '此事件的发生时间早于它前面的事件。事件按发生时间排序。',
  in_future: '该时间比当前时间晚一天以上。',
  first_step_skipped: '时间线不以 {to} 开始；应为以下之一：{expected}。',
  step_skipped: '{from} -> {to} 跳过了步骤；应为以下之一：{expected}。',
  after_terminal: '{to} 出现在最终状态 {from} 之后，最终状态保持不变。',
  impossible_transition: '不允许 {from} -> {to} 这一转换。',
  no_projection: '没有任何外部标准的投影能涵盖此时间线的全部代码。',
  projection_misfit: '此时间线的 {format} 格式文档在 {path} 处不符合该格式的模式。',
  unexpected_proof: '代码 {code} 的事件不带凭证。',
  event_id_conflict: 'event_id {received} 记录时的 {field} 与此不同：{recorded}。',
  event_id_reused: '标识为 {received} 的事件已有记录，且内容不同。',
  field_differs: '{field} 已记录为另一个值，并将保留该值。如需更正，请撤回该事件。',
  personal_data_dropped: '此处的个人信息不予保存：该时间线的个人数据已被清除。',
  source_mismatch: '此凭据以 {expected} 的身份写入，而不是 {received}。',
  other_identifier: '{owner} 的时间线的 {kind} 是 {known}，不是 {value}。',
  other_profile: '{owner} 的时间线的 profile 是 {known}，不是 {received}。',
  identifiers_disagree: '{kind} {value} 属于 {owner} 的时间线，{other} 属于 {otherOwner} 的时间线。',
}

const zhHant: Texts = {
  occurred_at_required: 'occurred_at 為必填欄位（帶有 UTC 偏移量的 ISO 8601 格式）',
  unsupported_version: '不支援協定版本 {received}。支援的版本：{expected}。',
  unknown_profile: '沒有名為 {received} 的 profile。可用的 profile：{expected}。',
  unknown_status_code: '{received} 不是 profile {profile} 的代碼。未註冊的代碼以 x- 開頭。',
  experimental_code: '{received} 是未註冊的代碼，依未註冊代碼讀取；level 2 僅接受已註冊的代碼。',
  no_identifier: '追蹤對象（subject）至少需要一個識別碼：{expected}。',
  phase_mismatch: '{code} 的階段是 {expected}，而不是 {received}。',
  current_status_mismatch: '根據事件，目前狀態為 {expected}，而不是 {received}。',
  delivered_mismatch: '根據事件，delivered = {expected}。',
  events_or_status_required: '時間線需要包含事件；如果來源沒有歷史記錄，則需要 current_status。',
  source_missing: '事件未說明由誰回報（source.type）。',
  duplicate_event_id: 'event_id {received} 已在 {first} 中出現。',
  out_of_order: '此事件的發生時間早於它前面的事件。事件依發生時間排序。',
  in_future: '此時間比目前時間晚一天以上。',
  first_step_skipped: '時間線不以 {to} 開始；應為以下之一：{expected}。',
  step_skipped: '{from} -> {to} 跳過了步驟；應為下列之一：{expected}。',
  after_terminal: '{to} 出現在最終狀態 {from} 之後，最終狀態維持不變。',
  impossible_transition: '不允許 {from} -> {to} 這項轉換。',
  no_projection: '沒有任何外部標準的投影能涵蓋此時間線的全部代碼。',
  projection_misfit: '此時間線的 {format} 格式文件在 {path} 處不符合該格式的綱要。',
  unexpected_proof: '代碼 {code} 的事件不帶憑證。',
  event_id_conflict: 'event_id {received} 記錄時的 {field} 與此不同：{recorded}。',
  event_id_reused: '識別碼為 {received} 的事件已有記錄，且內容不同。',
  field_differs: '{field} 已記錄為另一個值，並將保留該值。如需更正，請撤回該事件。',
  personal_data_dropped: '此處的個人資訊不予保存：該時間線的個人資料已被清除。',
  source_mismatch: '此憑證以 {expected} 的身分寫入，而不是 {received}。',
  other_identifier: '{owner} 的時間線的 {kind} 是 {known}，不是 {value}。',
  other_profile: '{owner} 的時間線的 profile 是 {known}，不是 {received}。',
  identifiers_disagree: '{kind} {value} 屬於 {owner} 的時間線，{other} 屬於 {otherOwner} 的時間線。',
}

/** Deviations of events and timelines from the protocol or from earlier records. */
export const protocolMessages: Catalogue = { en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
