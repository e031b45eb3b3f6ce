import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  assignment_rule_not_found: 'There is no assignment rule {rule}.',
  assignment_rule_changed: 'Assignment rule {rule} has changed: its version is now {version}.',
  assignment_rules_full: 'There are {limit} assignment rules already; a business can have no more.',
  assignment_rules_differ: 'Name each assignment rule once: {expected}.',
  not_for_target: 'This has no meaning for the target of the rule.',
  rule_is_off: 'The rule is off.',
  rule_of_other_types: 'The rule is for orders of other types.',
  rule_of_other_services: 'The rule is for orders that were booked at other services.',
  rule_of_other_tags: 'The order does not have all tags of the rule.',
  rule_of_other_zones: 'The rule is for other zones of the price list.',
  rule_of_other_postal_codes: 'The rule is for other postal codes.',
  rule_of_other_weekdays: 'The rule is for other days of the week.',
  rule_of_other_hours: 'The rule is for other hours.',
  rule_for_its_day: 'Drivers are asked on the scheduled day of the order.',
  rule_was_declined: 'All whom the rule asks have refused the order, or have not answered.',
  rule_without_driver: 'No driver of the rule is on duty.',
  rule_target_gone: 'Those whom the rule asks cannot take orders at present.',
  rule_is_full: 'Those whom the rule asks have as many orders as they can take.',
}

/** A code of assignment rules. */
export type AssignmentRuleCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<AssignmentRuleCode, 'assignment-rules'> {}
}

const kinds: Readonly<Partial<Record<AssignmentRuleCode, Kind>>> = {
  assignment_rule_not_found: 'not_found',
  assignment_rule_changed: 'conflict',
  assignment_rules_full: 'conflict',
  assignment_rules_differ: 'conflict',
}

type Texts = Readonly<Record<AssignmentRuleCode, string>>

const fr: Texts = {
  assignment_rule_not_found: 'La règle d’attribution {rule} n’existe pas.',
  assignment_rule_changed: 'La règle d’attribution {rule} a changé : sa version est maintenant {version}.',
  assignment_rules_full: 'Il y a déjà {limit} règles d’attribution ; une entreprise ne peut en avoir davantage.',
  assignment_rules_differ: 'Nommez chaque règle d’attribution une fois : {expected}.',
  not_for_target: 'Cela n’a pas de sens pour la cible de la règle.',
  rule_is_off: 'La règle est désactivée.',
  rule_of_other_types: 'La règle vaut pour des commandes d’autres types.',
  rule_of_other_services: 'La règle vaut pour des commandes réservées avec d’autres services.',
  rule_of_other_tags: 'La commande n’a pas toutes les étiquettes de la règle.',
  rule_of_other_zones: 'La règle vaut pour d’autres zones du tarif.',
  rule_of_other_postal_codes: 'La règle vaut pour d’autres codes postaux.',
  rule_of_other_weekdays: 'La règle vaut pour d’autres jours de la semaine.',
  rule_of_other_hours: 'La règle vaut pour d’autres heures.',
  rule_for_its_day: 'Les chauffeurs sont sollicités le jour prévu de la commande.',
  rule_was_declined: 'Tous ceux que la règle sollicite ont refusé la commande ou n’ont pas répondu.',
  rule_without_driver: 'Aucun chauffeur de la règle n’est en service.',
  rule_target_gone: 'Ceux que la règle sollicite ne peuvent pas prendre de commandes à présent.',
  rule_is_full: 'Ceux que la règle sollicite ont autant de commandes qu’ils peuvent en prendre.',
}

const de: Texts = {
  assignment_rule_not_found: 'Es gibt keine Zuweisungsregel {rule}.',
  assignment_rule_changed: 'Die Zuweisungsregel {rule} hat sich geändert: Ihre Version ist jetzt {version}.',
  assignment_rules_full: 'Es gibt schon {limit} Zuweisungsregeln; mehr kann ein Unternehmen nicht haben.',
  assignment_rules_differ: 'Jede Zuweisungsregel ist einmal zu nennen: {expected}.',
  not_for_target: 'Das hat für das Ziel der Regel keine Bedeutung.',
  rule_is_off: 'Die Regel ist ausgeschaltet.',
  rule_of_other_types: 'Die Regel gilt für Aufträge anderer Arten.',
  rule_of_other_services: 'Die Regel gilt für Aufträge, die zu anderen Diensten gebucht wurden.',
  rule_of_other_tags: 'Der Auftrag hat nicht alle Schlagwörter der Regel.',
  rule_of_other_zones: 'Die Regel gilt für andere Zonen der Preisliste.',
  rule_of_other_postal_codes: 'Die Regel gilt für andere Postleitzahlen.',
  rule_of_other_weekdays: 'Die Regel gilt für andere Wochentage.',
  rule_of_other_hours: 'Die Regel gilt für andere Uhrzeiten.',
  rule_for_its_day: 'Fahrer werden am geplanten Tag des Auftrags gefragt.',
  rule_was_declined: 'Alle, die die Regel fragt, haben den Auftrag abgelehnt oder nicht geantwortet.',
  rule_without_driver: 'Kein Fahrer der Regel ist im Dienst.',
  rule_target_gone: 'Die, die die Regel fragt, können zurzeit keine Aufträge übernehmen.',
  rule_is_full: 'Die, die die Regel fragt, haben so viele Aufträge, wie sie übernehmen können.',
}

const es: Texts = {
  assignment_rule_not_found: 'No existe la regla de asignación {rule}.',
  assignment_rule_changed: 'La regla de asignación {rule} ha cambiado: su versión es ahora {version}.',
  assignment_rules_full: 'Ya hay {limit} reglas de asignación; una empresa no puede tener más.',
  assignment_rules_differ: 'Nombre cada regla de asignación una vez: {expected}.',
  not_for_target: 'Esto no tiene sentido para el destino de la regla.',
  rule_is_off: 'La regla está desactivada.',
  rule_of_other_types: 'La regla es para pedidos de otros tipos.',
  rule_of_other_services: 'La regla es para pedidos reservados con otros servicios.',
  rule_of_other_tags: 'El pedido no tiene todas las etiquetas de la regla.',
  rule_of_other_zones: 'La regla es para otras zonas de la lista de precios.',
  rule_of_other_postal_codes: 'La regla es para otros códigos postales.',
  rule_of_other_weekdays: 'La regla es para otros días de la semana.',
  rule_of_other_hours: 'La regla es para otras horas.',
  rule_for_its_day: 'A los conductores se les pregunta el día previsto del pedido.',
  rule_was_declined: 'Todos a quienes la regla pregunta han rechazado el pedido o no han respondido.',
  rule_without_driver: 'Ningún conductor de la regla está de servicio.',
  rule_target_gone: 'Aquellos a quienes la regla pregunta no pueden tomar pedidos por ahora.',
  rule_is_full: 'Aquellos a quienes la regla pregunta tienen tantos pedidos como pueden tomar.',
}

const zhHans: Texts = {
  assignment_rule_not_found: '没有分配规则 {rule}。',
  assignment_rule_changed: '分配规则 {rule} 已更改：现在的版本为 {version}。',
  assignment_rules_full: '已有 {limit} 条分配规则；一家企业不能有更多。',
  assignment_rules_differ: '请将每条分配规则各写一次：{expected}。',
  not_for_target: '对该规则的目标没有意义。',
  rule_is_off: '该规则已关闭。',
  rule_of_other_types: '该规则适用于其他类型的订单。',
  rule_of_other_services: '该规则适用于以其他服务预订的订单。',
  rule_of_other_tags: '订单没有该规则的所有标签。',
  rule_of_other_zones: '该规则适用于价目表的其他区域。',
  rule_of_other_postal_codes: '该规则适用于其他邮政编码。',
  rule_of_other_weekdays: '该规则适用于其他星期。',
  rule_of_other_hours: '该规则适用于其他时段。',
  rule_for_its_day: '在订单的计划日期才询问司机。',
  rule_was_declined: '该规则询问的所有人都拒绝了订单或没有回应。',
  rule_without_driver: '该规则没有值班司机。',
  rule_target_gone: '该规则询问的对象目前无法接单。',
  rule_is_full: '该规则询问的对象已达到可接订单的上限。',
}

const zhHant: Texts = {
  assignment_rule_not_found: '沒有分配規則 {rule}。',
  assignment_rule_changed: '分配規則 {rule} 已更改：現在的版本為 {version}。',
  assignment_rules_full: '已有 {limit} 條分配規則；一家企業不能有更多。',
  assignment_rules_differ: '請將每條分配規則各寫一次：{expected}。',
  not_for_target: '對該規則的目標沒有意義。',
  rule_is_off: '該規則已關閉。',
  rule_of_other_types: '該規則適用於其他類型的訂單。',
  rule_of_other_services: '該規則適用於以其他服務預訂的訂單。',
  rule_of_other_tags: '訂單沒有該規則的所有標籤。',
  rule_of_other_zones: '該規則適用於價目表的其他區域。',
  rule_of_other_postal_codes: '該規則適用於其他郵遞區號。',
  rule_of_other_weekdays: '該規則適用於其他星期。',
  rule_of_other_hours: '該規則適用於其他時段。',
  rule_for_its_day: '在訂單的計劃日期才詢問司機。',
  rule_was_declined: '該規則詢問的所有人都拒絕了訂單或沒有回應。',
  rule_without_driver: '該規則沒有值班司機。',
  rule_target_gone: '該規則詢問的對象目前無法接單。',
  rule_is_full: '該規則詢問的對象已達到可接訂單的上限。',
}

/** Assignment rules. */
export const assignmentRuleMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
