import type { Catalogue, Kind } from '../catalogue.ts'

const en = {
  confirm_required:
    '{tool} is high risk and was not executed. Call it again with confirm=true, or propose it with propose_write.',
  approvals_unavailable:
    '{tool} was not executed: this connection requires an approval, and this server does not accept proposals.',
  outside_connection:
    '{tool} needs {scopes}, which this connection does not have: X-MCP-Profile or X-MCP-Scopes must include them.',
  unknown_connection_profile: 'There is no profile {received}. Profiles: {expected}.',
  unknown_scope: 'There is no scope {received}. Scopes: {expected}.',
  bad_switch: 'The header {header} must be 1 or 0, not {received}.',
  unknown_cursor: 'There is no page {received}: the list has one page.',
  tool_elsewhere: '{received} is not a tool of this server. It is available at {place}.',
  unknown_resource:
    'There is no resource {received}. resources/list and resources/templates/list have those of this server.',
  unknown_prompt: 'This connection has no prompt {received}. prompts/list has those that it has.',
  unknown_argument: 'There is no variable or argument {received} here.',
  unknown_operation: 'There is no operation {received} in the REST interface. search_reference finds them.',
  invalid_batch: 'A batch has 1 to {limit} messages, and is only accepted up to protocol version 2025-03-26.',
  origin_forbidden: 'Web pages of {received} may not call this server.',
  api_token_deprecated:
    'The argument api_token is accepted until 2026-12-31. Send the token in the Authorization header of the connection.',
  api_token_ended:
    'The argument api_token is no longer accepted. Send the token in the Authorization header of the connection.',
  graphql_invalid: 'This GraphQL document is not valid: {reason}',
  graphql_one_operation: 'A request must have exactly one operation.',
  graphql_too_deep: 'The fields are nested more than {limit} levels deep.',
  graphql_too_many_fields: 'The request has more than {limit} fields, including aliases.',
  graphql_too_costly: 'The answer could have more than {limit} fields. Request fewer fields, or smaller pages.',
}

/** A code of refusals by the MCP and GraphQL interfaces. */
export type InterfaceCode = keyof typeof en

const kinds: Readonly<Partial<Record<InterfaceCode, Kind>>> = {
  confirm_required: 'invalid',
  approvals_unavailable: 'invalid',
  outside_connection: 'forbidden',
  unknown_connection_profile: 'bad_request',
  unknown_scope: 'bad_request',
  bad_switch: 'bad_request',
  tool_elsewhere: 'not_found',
  unknown_resource: 'not_found',
  unknown_prompt: 'not_found',
  unknown_operation: 'not_found',
  invalid_batch: 'bad_request',
  origin_forbidden: 'forbidden',
  graphql_invalid: 'bad_request',
  graphql_one_operation: 'bad_request',
  graphql_too_deep: 'bad_request',
  graphql_too_many_fields: 'bad_request',
  graphql_too_costly: 'bad_request',
}

type Texts = Readonly<Record<InterfaceCode, string>>

const fr: Texts = {
  confirm_required:
    '{tool} présente un risque élevé et n’a pas été exécuté : rappelez-le avec confirm=true, ou proposez-le avec propose_write.',
  approvals_unavailable:
    '{tool} n’a pas été exécuté : cette connexion exige une approbation, et ce serveur ne prend pas de propositions.',
  outside_connection:
    '{tool} exige {scopes}, que cette connexion n’a pas : X-MCP-Profile ou X-MCP-Scopes doit les comprendre.',
  unknown_connection_profile: 'Le profil {received} n’existe pas ; il y a {expected}.',
  unknown_scope: 'La portée {received} n’existe pas ; il y a {expected}.',
  bad_switch: 'L’en-tête {header} vaut 1 ou 0, et non {received}.',
  unknown_cursor: 'La page {received} n’existe pas : la liste tient en une page.',
  tool_elsewhere: '{received} n’est pas un outil de ce serveur. Il est disponible à l’adresse {place}.',
  unknown_resource:
    'La ressource {received} n’existe pas ; resources/list et resources/templates/list indiquent celles de ce serveur.',
  unknown_prompt: 'Cette connexion n’a pas de consigne {received} ; prompts/list indique celles qu’elle a.',
  unknown_argument: 'Il n’y a pas ici de variable ni d’argument {received}.',
  unknown_operation: 'L’interface REST n’a pas d’opération {received} ; search_reference les trouve.',
  invalid_batch: 'Un lot compte de 1 à {limit} messages et est accepté jusqu’à la version 2025-03-26 du protocole.',
  origin_forbidden: 'Une page de {received} ne peut pas appeler ce serveur.',
  api_token_deprecated:
    'L’argument api_token est accepté jusqu’au 2026-12-31. Envoyez le jeton dans l’en-tête Authorization de la connexion.',
  api_token_ended:
    'L’argument api_token n’est plus accepté. Envoyez le jeton dans l’en-tête Authorization de la connexion.',
  graphql_invalid: 'Ce document GraphQL n’est pas valable : {reason}',
  graphql_one_operation: 'Une requête contient une seule opération ; celle-ci n’en contient aucune ou plusieurs.',
  graphql_too_deep: 'Les champs dépassent {limit} niveaux de profondeur.',
  graphql_too_many_fields: 'Plus de {limit} champs sont demandés à la fois, alias compris.',
  graphql_too_costly: 'La réponse pourrait contenir plus de {limit} champs. Demandez moins, ou des pages plus petites.',
}

const de: Texts = {
  confirm_required:
    '{tool} birgt ein hohes Risiko und wurde nicht ausgeführt: mit confirm=true erneut aufrufen oder mit propose_write vorschlagen.',
  approvals_unavailable:
    '{tool} wurde nicht ausgeführt: diese Verbindung verlangt dafür eine Genehmigung, und dieser Server nimmt keine Vorschläge an.',
  outside_connection:
    '{tool} braucht {scopes}, was diese Verbindung nicht hat: X-MCP-Profile oder X-MCP-Scopes muss es enthalten.',
  unknown_connection_profile: 'Es gibt kein Profil {received}; es gibt {expected}.',
  unknown_scope: 'Es gibt keine Berechtigung {received}; es gibt {expected}.',
  bad_switch: 'Die Kopfzeile {header} ist 1 oder 0, nicht {received}.',
  unknown_cursor: 'Es gibt keine Seite {received}: die Liste hat eine Seite.',
  tool_elsewhere: '{received} ist kein Werkzeug dieses Servers. Es ist unter {place} verfügbar.',
  unknown_resource:
    'Es gibt keine Ressource {received}. Die dieses Servers stehen in resources/list und resources/templates/list.',
  unknown_prompt: 'Diese Verbindung hat keine Vorlage {received}. Die vorhandenen stehen in prompts/list.',
  unknown_argument: 'Es gibt hier keine Variable und kein Argument {received}.',
  unknown_operation: 'Die REST-Schnittstelle hat keine Operation {received}. search_reference findet sie.',
  invalid_batch: 'Ein Stapel hat 1 bis {limit} Nachrichten und wird bis zur Protokollversion 2025-03-26 angenommen.',
  origin_forbidden: 'Eine Seite von {received} darf diesen Server nicht aufrufen.',
  api_token_deprecated:
    'Das Argument api_token wird bis 2026-12-31 angenommen. Das Token gehört in die Kopfzeile Authorization der Verbindung.',
  api_token_ended:
    'Das Argument api_token wird nicht mehr angenommen. Das Token gehört in die Kopfzeile Authorization der Verbindung.',
  graphql_invalid: 'Dieses GraphQL-Dokument ist nicht gültig: {reason}',
  graphql_one_operation: 'Eine Anfrage hat genau eine Operation, diese hat keine oder mehrere.',
  graphql_too_deep: 'Die Felder liegen tiefer als {limit} Ebenen.',
  graphql_too_many_fields: 'Es werden mehr als {limit} Felder auf einmal verlangt, Aliase mitgezählt.',
  graphql_too_costly: 'Die Antwort könnte mehr als {limit} Felder haben. Bitte weniger oder kleinere Seiten verlangen.',
}

const es: Texts = {
  confirm_required:
    '{tool} es de alto riesgo y no se ejecutó: vuelva a llamarlo con confirm=true o propóngalo con propose_write.',
  approvals_unavailable:
    '{tool} no se ejecutó: esta conexión exige una aprobación y este servidor no admite propuestas.',
  outside_connection:
    '{tool} necesita {scopes}, que esta conexión no tiene: X-MCP-Profile o X-MCP-Scopes debe incluirlos.',
  unknown_connection_profile: 'No existe el perfil {received}; existen {expected}.',
  unknown_scope: 'No existe el permiso {received}; existen {expected}.',
  bad_switch: 'La cabecera {header} es 1 o 0, no {received}.',
  unknown_cursor: 'No existe la página {received}: la lista tiene una sola página.',
  tool_elsewhere: '{received} no es una herramienta de este servidor. Está disponible en {place}.',
  unknown_resource:
    'No existe el recurso {received}. Los de este servidor están en resources/list y resources/templates/list.',
  unknown_prompt: 'Esta conexión no tiene la plantilla {received}. Las que tiene están en prompts/list.',
  unknown_argument: 'Aquí no existe la variable ni el argumento {received}.',
  unknown_operation: 'La interfaz REST no tiene la operación {received}. search_reference las encuentra.',
  invalid_batch: 'Un lote tiene de 1 a {limit} mensajes y se acepta hasta la versión 2025-03-26 del protocolo.',
  origin_forbidden: 'Una página de {received} no puede llamar a este servidor.',
  api_token_deprecated:
    'El argumento api_token se acepta hasta 2026-12-31. Envíe el token en la cabecera Authorization de la conexión.',
  api_token_ended:
    'El argumento api_token ya no se acepta. Envíe el token en la cabecera Authorization de la conexión.',
  graphql_invalid: 'Este documento GraphQL no es válido: {reason}',
  graphql_one_operation: 'Una solicitud tiene una sola operación; esta no tiene ninguna o tiene varias.',
  graphql_too_deep: 'Los campos superan los {limit} niveles de profundidad.',
  graphql_too_many_fields: 'Se piden más de {limit} campos a la vez, alias incluidos.',
  graphql_too_costly: 'La respuesta podría tener más de {limit} campos. Pida menos, o páginas más pequeñas.',
}

const zhHans: Texts = {
  confirm_required: '{tool} 属于高风险操作，尚未执行：请加上 confirm=true 再次调用，或用 propose_write 提交提案。',
  approvals_unavailable: '{tool} 尚未执行：此连接要求审批，而此服务器不接受提案。',
  outside_connection: '{tool} 需要 {scopes}，而此连接没有：X-MCP-Profile 或 X-MCP-Scopes 必须包含它们。',
  unknown_connection_profile: '没有配置文件 {received}；可用的有 {expected}。',
  unknown_scope: '没有权限范围 {received}；可用的有 {expected}。',
  bad_switch: '标头 {header} 只能是 1 或 0，不能是 {received}。',
  unknown_cursor: '没有页面 {received}：列表只有一页。',
  tool_elsewhere: '{received} 不是此服务器的工具，请使用 {place}。',
  unknown_resource: '没有资源 {received}。此服务器的资源见 resources/list 和 resources/templates/list。',
  unknown_prompt: '此连接没有提示 {received}。可用的提示见 prompts/list。',
  unknown_argument: '这里没有变量或参数 {received}。',
  unknown_operation: 'REST 接口没有操作 {received}。可用 search_reference 查找。',
  invalid_batch: '一个批次包含 1 到 {limit} 条消息，且仅在协议版本 2025-03-26 及更早版本中接受。',
  origin_forbidden: '{received} 的页面不得调用此服务器。',
  api_token_deprecated: '参数 api_token 只接受到 2026-12-31。请在连接的 Authorization 标头中发送令牌。',
  api_token_ended: '不再接受参数 api_token。请在连接的 Authorization 标头中发送令牌。',
  graphql_invalid: '此 GraphQL 文档无效：{reason}',
  graphql_one_operation: '每个请求只能有一个操作，而此请求没有操作或有多个操作。',
  graphql_too_deep: '字段嵌套超过 {limit} 层。',
  graphql_too_many_fields: '一次请求的字段超过 {limit} 个（含别名）。',
  graphql_too_costly: '应答可能超过 {limit} 个字段。请减少请求内容或缩小分页。',
}

const zhHant: Texts = {
  confirm_required: '{tool} 屬於高風險操作，尚未執行：請加上 confirm=true 再次呼叫，或用 propose_write 提交提案。',
  approvals_unavailable: '{tool} 尚未執行：此連線要求審批，而此伺服器不接受提案。',
  outside_connection: '{tool} 需要 {scopes}，而此連線沒有：X-MCP-Profile 或 X-MCP-Scopes 必須包含它們。',
  unknown_connection_profile: '沒有設定檔 {received}；可用的有 {expected}。',
  unknown_scope: '沒有權限範圍 {received}；可用的有 {expected}。',
  bad_switch: '標頭 {header} 只能是 1 或 0，不能是 {received}。',
  unknown_cursor: '沒有頁面 {received}：清單只有一頁。',
  tool_elsewhere: '{received} 不是此伺服器的工具，請使用 {place}。',
  unknown_resource: '沒有資源 {received}。此伺服器的資源見 resources/list 和 resources/templates/list。',
  unknown_prompt: '此連線沒有提示 {received}。可用的提示見 prompts/list。',
  unknown_argument: '這裡沒有變數或引數 {received}。',
  unknown_operation: 'REST 介面沒有操作 {received}。可用 search_reference 尋找。',
  invalid_batch: '一個批次包含 1 到 {limit} 則訊息，且僅在協定版本 2025-03-26 及更早版本中接受。',
  origin_forbidden: '{received} 的頁面不得呼叫此伺服器。',
  api_token_deprecated: '參數 api_token 只接受到 2026-12-31。請在連線的 Authorization 標頭中傳送權杖。',
  api_token_ended: '不再接受參數 api_token。請在連線的 Authorization 標頭中傳送權杖。',
  graphql_invalid: '此 GraphQL 文件無效：{reason}',
  graphql_one_operation: '每個請求只能有一個操作，而此請求沒有操作或有多個操作。',
  graphql_too_deep: '欄位巢狀超過 {limit} 層。',
  graphql_too_many_fields: '一次請求的欄位超過 {limit} 個（含別名）。',
  graphql_too_costly: '回應可能超過 {limit} 個欄位。請減少請求內容或縮小分頁。',
}

/** Refusals by the MCP and GraphQL interfaces. */
export const interfaceMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
