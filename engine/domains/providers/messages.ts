import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  provider_exists: 'Provider {name} already has a key. Rotate or revoke it.',
  provider_reach_required:
    'Name the business of the provider (business_id), or allow it all businesses (all_businesses).',
  key_expired: 'The key expired at {at}. Ask the operator of this server for another.',
  provider_not_found: 'There is no provider {name} with a valid key.',
  provider_required: 'provider is required, because an account is not a provider itself.',
  not_provider_name: 'Expected lower-case letters and digits, with single hyphens between words.',
  provider_name_taken: 'The name {name} is taken. Choose another.',
  too_many_providers:
    'Your business has {limit} names of providers, the most that there can be. Use one of a revoked provider again.',
  too_many_provider_keys:
    'The provider got {limit} keys today, the most that there can be. Try again tomorrow, or ask the operator of this server.',
  provider_key_replaced:
    'This key has been replaced, and only its successor can be. If you do not have the successor, ask for the keys to be revoked.',
}

/** A code of providers. */
export type ProviderCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ProviderCode, 'providers'> {}
}

const kinds: Readonly<Partial<Record<ProviderCode, Kind>>> = {
  provider_exists: 'conflict',
  key_expired: 'unauthenticated',
  provider_not_found: 'not_found',
  provider_name_taken: 'conflict',
  too_many_providers: 'conflict',
  too_many_provider_keys: 'conflict',
  provider_key_replaced: 'conflict',
}

type Texts = Readonly<Record<ProviderCode, string>>

const fr: Texts = {
  provider_exists: 'Le fournisseur {name} a déjà une clé. Renouvelez-la ou révoquez-la.',
  provider_reach_required:
    'Indiquez l’entreprise du fournisseur (business_id), ou autorisez-le pour toutes (all_businesses).',
  key_expired: 'La clé a expiré le {at}. Demandez-en une autre à l’exploitant de ce serveur.',
  provider_not_found: 'Aucun fournisseur {name} n’a de clé valide.',
  provider_required: 'provider est requis : un compte ne livre de lui-même pour aucun prestataire.',
  not_provider_name: 'Lettres minuscules et chiffres attendus, en mots reliés par un seul trait d’union.',
  provider_name_taken: 'Le nom {name} est pris. Choisissez-en un autre.',
  too_many_providers:
    'Votre entreprise a {limit} noms de fournisseurs, le maximum. Réutilisez celui d’un fournisseur révoqué.',
  too_many_provider_keys:
    'Le fournisseur a reçu {limit} clés aujourd’hui, le maximum. Réessayez demain, ou adressez-vous à l’exploitant de ce serveur.',
  provider_key_replaced:
    'Cette clé a été renouvelée, et seule celle qui lui succède peut l’être. Si vous ne l’avez pas, faites révoquer les clés.',
}

const de: Texts = {
  provider_exists: 'Der Anbieter {name} hat bereits einen Schlüssel. Erneuern oder widerrufen Sie diesen.',
  provider_reach_required:
    'Nennen Sie das Unternehmen des Anbieters (business_id), oder erlauben Sie ihm alle (all_businesses).',
  key_expired: 'Der Schlüssel ist am {at} abgelaufen. Bitten Sie den Betreiber dieses Servers um einen neuen.',
  provider_not_found: 'Es gibt keinen Anbieter {name} mit einem gültigen Schlüssel.',
  provider_required: 'provider ist erforderlich: Ein Konto stellt von sich aus für keinen Anbieter zu.',
  not_provider_name:
    'Kleinbuchstaben und Ziffern werden erwartet, in Wörtern, die ein einzelner Bindestrich verbindet.',
  provider_name_taken: 'Der Name {name} ist vergeben. Wählen Sie einen anderen.',
  too_many_providers:
    'Ihr Unternehmen hat {limit} Namen von Anbietern, mehr gehen nicht. Verwenden Sie den eines widerrufenen Anbieters wieder.',
  too_many_provider_keys:
    'Der Anbieter hat heute {limit} Schlüssel bekommen, mehr gehen nicht. Versuchen Sie es morgen wieder, oder fragen Sie den Betreiber dieses Servers.',
  provider_key_replaced:
    'Dieser Schlüssel ist ersetzt, und nur sein Nachfolger lässt sich erneuern. Haben Sie den nicht, lassen Sie die Schlüssel widerrufen.',
}

const es: Texts = {
  provider_exists: 'El proveedor {name} ya tiene una clave. Sustitúyala o revóquela.',
  provider_reach_required: 'Indique la empresa del proveedor (business_id), o permítale todas (all_businesses).',
  key_expired: 'La clave caducó el {at}. Pida otra al operador de este servidor.',
  provider_not_found: 'No hay ningún proveedor {name} con una clave válida.',
  provider_required: 'provider es obligatorio: una cuenta por sí misma no entrega para ninguno.',
  not_provider_name: 'Se esperan letras minúsculas y dígitos, en palabras unidas por un solo guion.',
  provider_name_taken: 'El nombre {name} está ocupado. Elija otro.',
  too_many_providers:
    'Su empresa tiene {limit} nombres de proveedores, el máximo. Reutilice el de un proveedor revocado.',
  too_many_provider_keys:
    'El proveedor ha recibido {limit} claves hoy, el máximo. Inténtelo mañana o consulte al operador de este servidor.',
  provider_key_replaced:
    'Esta clave fue sustituida, y solo se puede sustituir la que la sucede. Si no la tiene, pida que se revoquen las claves.',
}

const zhHans: Texts = {
  provider_exists: '服务商 {name} 已有密钥。请将其更换或吊销。',
  provider_reach_required: '请指明服务商所属的企业（business_id），或允许其用于所有企业（all_businesses）。',
  key_expired: '密钥已于 {at} 过期。请向本服务器的运营者索取新密钥。',
  provider_not_found: '没有持有有效密钥的服务商 {name}。',
  provider_required: '必须提供 provider：账户本身不代表任何服务商。',
  not_provider_name: '应为小写字母和数字，单词之间用单个连字符连接。',
  provider_name_taken: '名称 {name} 已被占用。请另选一个。',
  too_many_providers: '您的企业已有 {limit} 个服务商名称，已达上限。请重新使用已吊销的服务商的名称。',
  too_many_provider_keys: '该服务商今天已获得 {limit} 个密钥，已达上限。请明天再试，或联系本服务器的运营者。',
  provider_key_replaced: '此密钥已被更换，只有其后续密钥才能更换。如果您没有后续密钥，请要求吊销这些密钥。',
}

const zhHant: Texts = {
  provider_exists: '服務商 {name} 已有金鑰。請將其更換或撤銷。',
  provider_reach_required: '請指明服務商所屬的企業（business_id），或允許其用於所有企業（all_businesses）。',
  key_expired: '金鑰已於 {at} 過期。請向本伺服器的營運者索取新金鑰。',
  provider_not_found: '沒有持有有效金鑰的服務商 {name}。',
  provider_required: '必須提供 provider：帳戶本身不代表任何服務商。',
  not_provider_name: '應為小寫字母和數字，單字之間以單一連字號連接。',
  provider_name_taken: '名稱 {name} 已被占用。請另選一個。',
  too_many_providers: '您的企業已有 {limit} 個服務商名稱，已達上限。請重新使用已撤銷的服務商的名稱。',
  too_many_provider_keys: '該服務商今天已獲得 {limit} 個金鑰，已達上限。請明天再試，或聯絡本伺服器的運營者。',
  provider_key_replaced: '此金鑰已被更換，只有其後續金鑰才能更換。如果您沒有後續金鑰，請要求撤銷這些金鑰。',
}

/** Providers. */
export const providerMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
