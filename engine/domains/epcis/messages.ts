import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  epcis_query_exists: 'There is already a query with this name.',
  epcis_query_not_found: 'There is no query with this name.',
  capture_job_not_found: 'There is no capture job with this id.',
  epcis_event_not_found: 'There is no event with this id that you may see.',
  query_parameter_refused: '{parameter} is no parameter of a query, or has a wrong value: {reason}',
  query_parameter_not_offered: '{parameter} is not offered: {reason}',
  query_too_large: 'The query has more results than {limit}.',
  epcis_header_refused: '{header} is {received}. Offered: {expected}.',
  epcis_resource_not_offered: 'This resource is not offered: {reason}',
  epcis_subscription_not_found: 'There is no subscription with this id to this query.',
  epcis_subscription_refused: 'A subscription cannot have this {parameter}: {reason}',
}

/** A code of refusals of the EPCIS interface. */
export type EpcisCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<EpcisCode, 'epcis'> {}
}

const kinds: Readonly<Partial<Record<EpcisCode, Kind>>> = {
  capture_job_not_found: 'not_found',
  epcis_query_exists: 'conflict',
  epcis_query_not_found: 'not_found',
  epcis_event_not_found: 'not_found',
  epcis_subscription_not_found: 'not_found',
  epcis_subscription_refused: 'bad_request',
  query_parameter_refused: 'bad_request',
  query_parameter_not_offered: 'bad_request',
  query_too_large: 'too_large',
  epcis_header_refused: 'not_acceptable',
  epcis_resource_not_offered: 'bad_request',
}

type Texts = Readonly<Record<EpcisCode, string>>

const fr: Texts = {
  epcis_query_exists: 'Une requête porte déjà ce nom.',
  epcis_query_not_found: 'Aucune requête ne porte ce nom.',
  capture_job_not_found: 'Il n’existe pas de tâche de capture avec cet identifiant.',
  epcis_event_not_found: 'Aucun événement visible pour vous ne porte cet identifiant.',
  query_parameter_refused: '{parameter} n’est pas un paramètre de requête ou sa valeur est incorrecte : {reason}',
  query_parameter_not_offered: '{parameter} n’est pas proposé : {reason}',
  query_too_large: 'La requête a plus de {limit} résultats.',
  epcis_header_refused: '{header} vaut {received}. Valeurs proposées : {expected}.',
  epcis_resource_not_offered: 'Cette ressource n’est pas proposée : {reason}',
  epcis_subscription_not_found: 'Aucun abonnement à cette requête ne porte cet identifiant.',
  epcis_subscription_refused: 'Un abonnement ne peut pas avoir ce {parameter} : {reason}',
}

const de: Texts = {
  epcis_query_exists: 'Es gibt bereits eine Abfrage mit diesem Namen.',
  epcis_query_not_found: 'Es gibt keine Abfrage mit diesem Namen.',
  capture_job_not_found: 'Es gibt keinen Erfassungsauftrag mit dieser Kennung.',
  epcis_event_not_found: 'Es gibt kein für Sie sichtbares Ereignis mit dieser Kennung.',
  query_parameter_refused: '{parameter} ist kein Abfrageparameter oder hat einen falschen Wert: {reason}',
  query_parameter_not_offered: '{parameter} wird nicht angeboten: {reason}',
  query_too_large: 'Die Abfrage hat mehr als {limit} Ergebnisse.',
  epcis_header_refused: '{header} ist {received}. Angeboten: {expected}.',
  epcis_resource_not_offered: 'Diese Ressource wird nicht angeboten: {reason}',
  epcis_subscription_not_found: 'Es gibt kein Abonnement dieser Abfrage mit dieser Id.',
  epcis_subscription_refused: 'Ein Abonnement kann dieses {parameter} nicht haben: {reason}',
}

const es: Texts = {
  epcis_query_exists: 'Ya existe una consulta con este nombre.',
  epcis_query_not_found: 'No existe ninguna consulta con este nombre.',
  capture_job_not_found: 'No existe ningún trabajo de captura con este identificador.',
  epcis_event_not_found: 'No hay ningún evento visible para usted con este identificador.',
  query_parameter_refused: '{parameter} no es un parámetro de consulta o tiene un valor incorrecto: {reason}',
  query_parameter_not_offered: '{parameter} no se ofrece: {reason}',
  query_too_large: 'La consulta tiene más de {limit} resultados.',
  epcis_header_refused: '{header} es {received}. Se ofrece: {expected}.',
  epcis_resource_not_offered: 'Este recurso no se ofrece: {reason}',
  epcis_subscription_not_found: 'No hay ninguna suscripción a esta consulta con este identificador.',
  epcis_subscription_refused: 'Una suscripción no puede tener este {parameter}: {reason}',
}

const zhHans: Texts = {
  epcis_query_exists: '已有同名查询。',
  epcis_query_not_found: '没有此名称的查询。',
  capture_job_not_found: '没有此标识的采集任务。',
  epcis_event_not_found: '没有您可以查看的此标识的事件。',
  query_parameter_refused: '{parameter} 不是查询参数，或其值有误：{reason}',
  query_parameter_not_offered: '不提供 {parameter}：{reason}',
  query_too_large: '查询结果多于 {limit} 个。',
  epcis_header_refused: '{header} 为 {received}。可用：{expected}。',
  epcis_resource_not_offered: '不提供此资源：{reason}',
  epcis_subscription_not_found: '此查询没有此标识的订阅。',
  epcis_subscription_refused: '订阅不能有此 {parameter}：{reason}',
}

const zhHant: Texts = {
  epcis_query_exists: '已有同名查詢。',
  epcis_query_not_found: '沒有此名稱的查詢。',
  capture_job_not_found: '沒有此識別碼的擷取任務。',
  epcis_event_not_found: '沒有您可以檢視的此識別碼的事件。',
  query_parameter_refused: '{parameter} 不是查詢參數，或其值有誤：{reason}',
  query_parameter_not_offered: '不提供 {parameter}：{reason}',
  query_too_large: '查詢結果多於 {limit} 個。',
  epcis_header_refused: '{header} 為 {received}。可用：{expected}。',
  epcis_resource_not_offered: '不提供此資源：{reason}',
  epcis_subscription_not_found: '此查詢沒有此識別碼的訂閱。',
  epcis_subscription_refused: '訂閱不能有此 {parameter}：{reason}',
}

/** The EPCIS interface. */
export const epcisMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
