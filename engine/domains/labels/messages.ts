import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  label_not_found: 'There is no label order {label}.',
  label_status_forbids: 'The label order {label} is {status}, so this is not possible.',
  label_id_or_number: 'Give either the order_id or a tracking_number, not both.',
  no_shipping_rate: 'No carrier of the business has a rate for this shipment. {reason}',
  carrier_account_in_use: 'A carrier is yet to answer for a label or a pickup of this account. Try again later.',
  labels_unavailable: 'This server cannot print labels: the packages for it are not installed.',
  unprintable_text: 'No font of this server has the letter {character} of {member}.',
  no_such_parcel: '{field} is {received}, but the order has {expected} parcels.',
  label_forgotten: 'The personal data of label order {label} has been erased, so there is nothing to print.',
  label_document_unreachable: 'Only the carrier has the document of label order {label}, as {reference}.',
  preferred_carriers: 'The strategy preferred_carrier needs preferred, and no other strategy takes it.',
  manifest_not_found: 'There is no manifest {manifest}.',
  manifest_not_closed: 'The carrier has not closed the manifest {manifest}.',
  carrier_events_refused: 'There is no such account of a carrier, or its carrier did not sign this.',
  pickup_not_found: 'There is no pickup {pickup}.',
  pickup_status_forbids: 'The pickup {pickup} is {status}, so this is not possible.',
  label_in_pickup: 'The label order {label} is in the pickup {pickup}, which is {status}. Call that pickup off first.',
  labels_of_several_accounts: 'These labels are of several accounts at carriers: ask for a pickup of those of each.',
  carrier_without_pickups: '{carrier} has no pickups of labels.',
  pickup_of_one_day: 'The pickup must begin and end on one day in the time zone of the business.',
  already_over: 'This time is over.',
}

/** A code of labels. */
export type LabelCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<LabelCode, 'labels'> {}
}

const kinds: Readonly<Partial<Record<LabelCode, Kind>>> = {
  label_not_found: 'not_found',
  label_status_forbids: 'conflict',
  no_shipping_rate: 'conflict',
  carrier_account_in_use: 'conflict',
  labels_unavailable: 'unavailable',
  unprintable_text: 'conflict',
  label_forgotten: 'conflict',
  label_document_unreachable: 'conflict',
  manifest_not_found: 'not_found',
  manifest_not_closed: 'conflict',
  carrier_events_refused: 'unauthenticated',
  pickup_not_found: 'not_found',
  pickup_status_forbids: 'conflict',
  label_in_pickup: 'conflict',
  labels_of_several_accounts: 'conflict',
  carrier_without_pickups: 'conflict',
}

type Texts = Readonly<Record<LabelCode, string>>

const fr: Texts = {
  label_not_found: 'La commande d’étiquette {label} n’existe pas.',
  label_status_forbids: 'La commande d’étiquette {label} est {status}, ce n’est donc pas possible.',
  label_id_or_number: 'Indiquez soit order_id, soit un tracking_number, mais pas les deux.',
  no_shipping_rate: 'Aucun transporteur de l’entreprise n’a de tarif pour cet envoi. {reason}',
  carrier_account_in_use: 'Un transporteur doit encore répondre pour une étiquette de ce compte. Réessayez plus tard.',
  labels_unavailable:
    'Ce serveur ne peut pas imprimer d’étiquettes\u00a0: les paquets nécessaires ne sont pas installés.',
  unprintable_text: 'Aucune police de ce serveur ne contient la lettre {character} de {member}.',
  no_such_parcel: '{field} vaut {received}, mais la commande a {expected} colis.',
  label_forgotten:
    'Les données personnelles de la commande d’étiquette {label} ont été effacées\u00a0: il n’y a rien à imprimer.',
  label_document_unreachable:
    'Seul le transporteur a le document de la commande d’étiquette {label}, sous {reference}.',
  preferred_carriers: 'La stratégie preferred_carrier exige preferred, et aucune autre ne l’accepte.',
  manifest_not_found: 'Le bordereau {manifest} n’existe pas.',
  manifest_not_closed: 'Le transporteur n’a pas clôturé le bordereau {manifest}.',
  carrier_events_refused: 'Ce compte de transporteur n’existe pas, ou son transporteur n’a pas signé ceci.',
  pickup_not_found: 'L’enlèvement {pickup} n’existe pas.',
  pickup_status_forbids: 'L’enlèvement {pickup} est {status}, ce n’est donc pas possible.',
  label_in_pickup:
    'La commande d’étiquette {label} fait partie de l’enlèvement {pickup}, qui est {status}. Annulez d’abord cet enlèvement.',
  labels_of_several_accounts:
    'Ces étiquettes relèvent de plusieurs comptes de transporteur\u00a0: demandez un enlèvement pour chacun.',
  carrier_without_pickups: '{carrier} n’enlève pas de colis sur demande.',
  pickup_of_one_day: 'L’enlèvement doit commencer et finir le même jour, dans le fuseau horaire de l’entreprise.',
  already_over: 'Ce moment est passé.',
}

const de: Texts = {
  label_not_found: 'Es gibt keinen Labelauftrag {label}.',
  label_status_forbids: 'Der Labelauftrag {label} ist {status}, deshalb ist das nicht möglich.',
  label_id_or_number: 'Entweder order_id oder eine tracking_number ist nötig, nicht beides.',
  no_shipping_rate: 'Kein Zusteller des Unternehmens hat einen Tarif für diese Sendung. {reason}',
  carrier_account_in_use:
    'Ein Zusteller muss noch für ein Label dieses Kontos antworten. Bitte später erneut versuchen.',
  labels_unavailable: 'Dieser Server kann keine Labels drucken: Die Pakete dafür sind nicht installiert.',
  unprintable_text: 'Keine Schrift dieses Servers hat den Buchstaben {character} von {member}.',
  no_such_parcel: '{field} ist {received}, aber der Auftrag hat {expected} Pakete.',
  label_forgotten: 'Die personenbezogenen Daten des Labelauftrags {label} sind gelöscht, es gibt nichts zu drucken.',
  label_document_unreachable: 'Nur der Zusteller hat das Dokument des Labelauftrags {label}, unter {reference}.',
  preferred_carriers: 'Die Strategie preferred_carrier braucht preferred, und keine andere nimmt es an.',
  manifest_not_found: 'Es gibt keine Übergabeliste {manifest}.',
  manifest_not_closed: 'Der Zusteller hat die Übergabeliste {manifest} nicht abgeschlossen.',
  carrier_events_refused: 'Es gibt kein solches Konto bei einem Zusteller, oder der Zusteller hat dies nicht signiert.',
  pickup_not_found: 'Es gibt keine Abholung {pickup}.',
  pickup_status_forbids: 'Die Abholung {pickup} ist {status}; deshalb ist das nicht möglich.',
  label_in_pickup:
    'Der Labelauftrag {label} gehört zur Abholung {pickup}, die {status} ist. Bitte zuerst diese Abholung absagen.',
  labels_of_several_accounts:
    'Diese Etiketten gehören zu mehreren Konten bei Zustellern: Beauftragen Sie für jedes eine Abholung.',
  carrier_without_pickups: '{carrier} holt keine Sendungen ab.',
  pickup_of_one_day: 'Die Abholung muss an einem Tag beginnen und enden, in der Zeitzone des Unternehmens.',
  already_over: 'Diese Zeit ist vorbei.',
}

const es: Texts = {
  label_not_found: 'No existe el pedido de etiqueta {label}.',
  label_status_forbids: 'El pedido de etiqueta {label} está {status}, por lo que no es posible.',
  label_id_or_number: 'Indique order_id o un tracking_number, pero no ambos.',
  no_shipping_rate: 'Ningún transportista de la empresa tiene tarifa para este envío. {reason}',
  carrier_account_in_use: 'Un transportista aún debe responder por una etiqueta de esta cuenta. Inténtelo más tarde.',
  labels_unavailable: 'Este servidor no puede imprimir etiquetas: no están instalados los paquetes necesarios.',
  unprintable_text: 'Ninguna fuente de este servidor tiene la letra {character} de {member}.',
  no_such_parcel: '{field} es {received}, pero el pedido tiene {expected} bultos.',
  label_forgotten: 'Los datos personales del pedido de etiqueta {label} se han borrado: no hay nada que imprimir.',
  label_document_unreachable:
    'Solo el transportista tiene el documento del pedido de etiqueta {label}, como {reference}.',
  preferred_carriers: 'La estrategia preferred_carrier necesita preferred, y ninguna otra lo admite.',
  manifest_not_found: 'No existe el manifiesto {manifest}.',
  manifest_not_closed: 'El transportista no ha cerrado el manifiesto {manifest}.',
  carrier_events_refused: 'No existe esa cuenta de transportista, o su transportista no ha firmado esto.',
  pickup_not_found: 'No existe la recogida {pickup}.',
  pickup_status_forbids: 'La recogida {pickup} está en {status}, así que no es posible.',
  label_in_pickup:
    'El pedido de etiqueta {label} está en la recogida {pickup}, que está en {status}. Anule primero esa recogida.',
  labels_of_several_accounts:
    'Estas etiquetas son de varias cuentas de transportista: pida una recogida para cada una.',
  carrier_without_pickups: '{carrier} no hace recogidas.',
  pickup_of_one_day: 'La recogida debe empezar y terminar el mismo día, en la zona horaria de la empresa.',
  already_over: 'Ese momento ya ha pasado.',
}

const zhHans: Texts = {
  label_not_found: '没有面单订单 {label}。',
  label_status_forbids: '面单订单 {label} 的状态是 {status}，因此无法这样做。',
  label_id_or_number: '请提供 order_id 或 tracking_number，不能两者都有。',
  no_shipping_rate: '该企业没有承运商对此货件有报价。{reason}',
  carrier_account_in_use: '承运商尚未答复此账户的一张面单。请稍后再试。',
  labels_unavailable: '此服务器无法打印面单：未安装所需的软件包。',
  unprintable_text: '此服务器的字体都没有 {member} 中的字符 {character}。',
  no_such_parcel: '{field} 为 {received}，但订单只有 {expected} 个包裹。',
  label_forgotten: '面单订单 {label} 的个人数据已删除，没有可打印的内容。',
  label_document_unreachable: '只有承运商持有面单订单 {label} 的文件：{reference}。',
  preferred_carriers: '策略 preferred_carrier 需要 preferred，其他策略不接受它。',
  manifest_not_found: '没有交接清单 {manifest}。',
  manifest_not_closed: '承运商尚未关闭交接清单 {manifest}。',
  carrier_events_refused: '没有这样的承运商账户，或者承运商没有对此签名。',
  pickup_not_found: '没有取件 {pickup}。',
  pickup_status_forbids: '取件 {pickup} 的状态为 {status}，因此无法执行。',
  label_in_pickup: '面单订单 {label} 属于取件 {pickup}，其状态为 {status}。请先取消该取件。',
  labels_of_several_accounts: '这些面单属于多个承运商账户：请为每个账户分别预约取件。',
  carrier_without_pickups: '{carrier} 不提供取件服务。',
  pickup_of_one_day: '取件必须在企业时区的同一天开始和结束。',
  already_over: '该时间已过。',
}

const zhHant: Texts = {
  label_not_found: '沒有面單訂單 {label}。',
  label_status_forbids: '面單訂單 {label} 的狀態是 {status}，因此無法這樣做。',
  label_id_or_number: '請提供 order_id 或 tracking_number，不能兩者都有。',
  no_shipping_rate: '該企業沒有承運商對此貨件有報價。{reason}',
  carrier_account_in_use: '承運商尚未答覆此帳戶的一張面單。請稍後再試。',
  labels_unavailable: '此伺服器無法列印面單：未安裝所需的套件。',
  unprintable_text: '此伺服器的字型都沒有 {member} 中的字元 {character}。',
  no_such_parcel: '{field} 為 {received}，但訂單只有 {expected} 個包裹。',
  label_forgotten: '面單訂單 {label} 的個人資料已刪除，沒有可列印的內容。',
  label_document_unreachable: '只有承運商持有面單訂單 {label} 的文件：{reference}。',
  preferred_carriers: '策略 preferred_carrier 需要 preferred，其他策略不接受它。',
  manifest_not_found: '沒有交接清單 {manifest}。',
  manifest_not_closed: '承運商尚未關閉交接清單 {manifest}。',
  carrier_events_refused: '沒有這樣的承運商帳戶，或者承運商沒有對此簽章。',
  pickup_not_found: '沒有取件 {pickup}。',
  pickup_status_forbids: '取件 {pickup} 的狀態為 {status}，因此無法執行。',
  label_in_pickup: '面單訂單 {label} 屬於取件 {pickup}，其狀態為 {status}。請先取消該取件。',
  labels_of_several_accounts: '這些面單屬於多個承運商帳戶：請為每個帳戶分別預約取件。',
  carrier_without_pickups: '{carrier} 不提供取件服務。',
  pickup_of_one_day: '取件必須在企業時區的同一天開始和結束。',
  already_over: '該時間已過。',
}

/** Labels. */
export const labelMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
