import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  api_key_not_found: 'There is no such API key.',
  api_key_ended: 'This API key has been revoked, or its account was disabled. Make another.',
  api_key_expired: 'The API key expired at {at}. Rotate it, or make another.',
  not_own_api_key: 'Only the account of an API key can rotate it. You can revoke it.',
  too_many_api_keys: 'The account has {limit} valid API keys. Revoke those that nobody needs.',
  scope_not_of_account: 'You do not have the scope {received}.',
  not_an_operation: 'There is no operation {received}.',
  service_account: 'Nobody signs in to a service account: it has no password, address or second factor.',
  not_service_account:
    'Account {account} is that of a person, who makes its API keys. Others make those of service accounts.',
}

/** A code of API keys and service accounts. */
export type ApiKeyCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<ApiKeyCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<ApiKeyCode, Kind>>> = {
  api_key_not_found: 'not_found',
  api_key_ended: 'conflict',
  api_key_expired: 'unauthenticated',
  not_own_api_key: 'forbidden',
  too_many_api_keys: 'conflict',
  service_account: 'conflict',
  not_service_account: 'conflict',
}

type Texts = Readonly<Record<ApiKeyCode, string>>

const fr: Texts = {
  api_key_not_found: 'Cette clé d’API n’existe pas.',
  api_key_ended: 'Cette clé d’API est révoquée, ou son compte a été désactivé. Créez-en une autre.',
  api_key_expired: 'La clé d’API a expiré le {at}. Renouvelez-la ou créez-en une autre.',
  not_own_api_key: 'Seul le compte d’une clé d’API peut la renouveler. Vous pouvez la révoquer.',
  too_many_api_keys: 'Le compte a {limit} clés d’API valides. Révoquez celles qui ne servent plus.',
  scope_not_of_account: 'Vous n’avez pas la portée {received}.',
  not_an_operation: 'L’opération {received} n’existe pas.',
  service_account:
    'Personne ne se connecte à un compte de service : il n’a ni mot de passe, ni adresse, ni second facteur.',
  not_service_account:
    'Le compte {account} est celui d’une personne, qui crée elle-même ses clés d’API. D’autres créent celles des comptes de service.',
}

const de: Texts = {
  api_key_not_found: 'Diesen API-Schlüssel gibt es nicht.',
  api_key_ended: 'Dieser API-Schlüssel ist widerrufen, oder sein Konto wurde gesperrt. Erstellen Sie einen neuen.',
  api_key_expired: 'Der API-Schlüssel ist am {at} abgelaufen. Erneuern Sie ihn, oder erstellen Sie einen anderen.',
  not_own_api_key: 'Nur das Konto eines API-Schlüssels kann ihn erneuern. Sie können ihn widerrufen.',
  too_many_api_keys: 'Das Konto hat {limit} gültige API-Schlüssel. Widerrufen Sie die, die niemand braucht.',
  scope_not_of_account: 'Sie haben die Berechtigung {received} nicht.',
  not_an_operation: 'Es gibt keinen Vorgang {received}.',
  service_account:
    'Bei einem Dienstkonto meldet sich niemand an: Es hat weder Passwort noch Adresse noch zweiten Faktor.',
  not_service_account:
    'Das Konto {account} gehört einer Person, die seine API-Schlüssel selbst erstellt. Andere erstellen die von Dienstkonten.',
}

const es: Texts = {
  api_key_not_found: 'No existe esa clave de API.',
  api_key_ended: 'Esta clave de API está revocada o su cuenta fue desactivada. Cree otra.',
  api_key_expired: 'La clave de API caducó el {at}. Sustitúyala o cree otra.',
  not_own_api_key: 'Solo la cuenta de una clave de API puede sustituirla. Usted puede revocarla.',
  too_many_api_keys: 'La cuenta tiene {limit} claves de API válidas. Revoque las que nadie necesite.',
  scope_not_of_account: 'Usted no tiene el permiso {received}.',
  not_an_operation: 'No existe la operación {received}.',
  service_account: 'Nadie inicia sesión en una cuenta de servicio: no tiene contraseña, dirección ni segundo factor.',
  not_service_account:
    'La cuenta {account} es de una persona, que crea sus claves de API. Otros crean las de las cuentas de servicio.',
}

const zhHans: Texts = {
  api_key_not_found: '没有此 API 密钥。',
  api_key_ended: '此 API 密钥已吊销，或其账户已停用。请另建一个。',
  api_key_expired: 'API 密钥已于 {at} 过期。请更换或另建一个。',
  not_own_api_key: '只有 API 密钥所属的账户才能更换它。您可以吊销它。',
  too_many_api_keys: '该账户有 {limit} 个有效的 API 密钥。请吊销不再需要的密钥。',
  scope_not_of_account: '您没有权限 {received}。',
  not_an_operation: '没有操作 {received}。',
  service_account: '没有人登录服务账户：它没有密码、地址或第二重验证方式。',
  not_service_account: '账户 {account} 属于个人，其 API 密钥由本人创建。他人只能为服务账户创建密钥。',
}

const zhHant: Texts = {
  api_key_not_found: '沒有此 API 金鑰。',
  api_key_ended: '此 API 金鑰已撤銷，或其帳戶已停用。請另建一個。',
  api_key_expired: 'API 金鑰已於 {at} 過期。請更換或另建一個。',
  not_own_api_key: '只有 API 金鑰所屬的帳戶才能更換它。您可以撤銷它。',
  too_many_api_keys: '該帳戶有 {limit} 個有效的 API 金鑰。請撤銷不再需要的金鑰。',
  scope_not_of_account: '您沒有權限 {received}。',
  not_an_operation: '沒有操作 {received}。',
  service_account: '沒有人登入服務帳戶：它沒有密碼、地址或第二重驗證方式。',
  not_service_account: '帳戶 {account} 屬於個人，其 API 金鑰由本人建立。他人只能為服務帳戶建立金鑰。',
}

/** API keys and service accounts. */
export const apiKeyMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
