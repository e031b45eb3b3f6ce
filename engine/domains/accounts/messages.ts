import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  invalid_id_token: 'The ID token is not valid here.',
  invalid_credentials: 'The email address or the password is wrong.',
  wrong_password: 'The current password is wrong.',
  password_too_short: 'A password needs at least 10 characters.',
  password_too_common:
    'This password is too common: it would soon be guessed. Use several words that do not belong together.',
  password_names_owner: 'This password is made of the name, address or business of the account, which others know.',
  email_taken: 'There is already an account with this email address.',
  not_an_email: 'Expected an email address.',
  account_not_found: 'There is no such account.',
  not_a_customer: 'The business has no customer {customer}.',
  business_not_found: 'There is no such business.',
  unknown_time_zone: '{received} is not a time zone of the IANA database.',
  not_a_currency: 'Expected a currency code of three letters (ISO 4217).',
  own_account_kept: 'An account cannot disable itself.',
  account_erased: 'The person of this account was erased, so it cannot be changed.',
  module_not_of_account: 'The module {module} cannot be switched for an account of kind {received}.',
  module_not_switchable: 'The module {module} is {received} by the platform and cannot be switched here.',
  app_context_not_found: 'There is no such app for this client.',
  app_unavailable: 'The app is not available for this client.',
  sign_in_method_not_allowed: 'This sign-in method is not allowed in this app.',
  app_role_not_allowed: 'Accounts of kind {received} cannot sign in to this app.',
  client_access_not_allowed: 'The account has no access to this client.',
  registration_required: 'There is no account for this identity. Register first.',
  binding_conflict: 'The account is bound to another identity of this provider.',
  identity_provider_unavailable: 'The identity provider cannot be reached. Try again in a moment.',
  not_a_version: 'Expected a semantic version, for example 1.4.0.',
}

/** A code of businesses, accounts and sign-in. */
export type AccountCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<AccountCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<AccountCode, Kind>>> = {
  invalid_id_token: 'unauthenticated',
  invalid_credentials: 'unauthenticated',
  email_taken: 'conflict',
  account_not_found: 'not_found',
  account_erased: 'conflict',
  business_not_found: 'not_found',
  module_not_switchable: 'conflict',
  app_context_not_found: 'not_found',
  app_unavailable: 'forbidden',
  sign_in_method_not_allowed: 'forbidden',
  app_role_not_allowed: 'forbidden',
  client_access_not_allowed: 'forbidden',
  registration_required: 'conflict',
  binding_conflict: 'conflict',
  identity_provider_unavailable: 'unavailable',
}

type Texts = Readonly<Record<AccountCode, string>>

const fr: Texts = {
  invalid_id_token: 'Le jeton d’identité n’est pas valable ici.',
  invalid_credentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
  wrong_password: 'Le mot de passe actuel est incorrect.',
  password_too_short: 'Un mot de passe compte au moins 10 caractères.',
  password_too_common:
    'Ce mot de passe est trop courant : il serait vite deviné. Utilisez plusieurs mots sans rapport entre eux.',
  password_names_owner:
    'Ce mot de passe est formé du nom, de l’adresse ou de l’entreprise du compte, que d’autres connaissent.',
  email_taken: 'Un compte existe déjà avec cette adresse e-mail.',
  not_an_email: 'Une adresse e-mail est attendue.',
  account_not_found: 'Ce compte n’existe pas.',
  not_a_customer: 'L’entreprise n’a pas de client {customer}.',
  business_not_found: 'Cette entreprise n’existe pas.',
  unknown_time_zone: '{received} n’est pas un fuseau horaire de la base IANA.',
  not_a_currency: 'Un code de devise de trois lettres est attendu (ISO 4217).',
  own_account_kept: 'Un compte ne peut pas se désactiver lui-même.',
  account_erased: 'La personne de ce compte a été effacée : il ne peut plus être modifié.',
  module_not_of_account: 'Le module {module} ne peut pas être activé ou désactivé pour un compte de type {received}.',
  module_not_switchable:
    'La plateforme a mis le module {module} à l’état {received} ; il ne peut pas être modifié ici.',
  app_context_not_found: 'Cette application n’existe pas pour ce client.',
  app_unavailable: 'L’application n’est pas disponible pour ce client.',
  sign_in_method_not_allowed: 'Ce mode de connexion n’est pas autorisé dans cette application.',
  app_role_not_allowed: 'Les comptes de type {received} ne peuvent pas se connecter à cette application.',
  client_access_not_allowed: 'Le compte n’a pas accès à ce client.',
  registration_required: 'Aucun compte ne correspond à cette identité. Inscrivez-vous d’abord.',
  binding_conflict: 'Le compte est lié à une autre identité de ce fournisseur.',
  identity_provider_unavailable: 'Le fournisseur d’identité est injoignable. Réessayez dans un instant.',
  not_a_version: 'Une version sémantique est attendue, comme 1.4.0.',
}

const de: Texts = {
  invalid_id_token: 'Das ID-Token ist hier nicht gültig.',
  invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  wrong_password: 'Das bisherige Passwort ist falsch.',
  password_too_short: 'Ein Passwort braucht mindestens 10 Zeichen.',
  password_too_common:
    'Dieses Passwort ist zu verbreitet und wäre bald erraten. Nehmen Sie mehrere Wörter, die nicht zusammengehören.',
  password_names_owner: 'Dieses Passwort besteht aus Name, Adresse oder Unternehmen des Kontos, die andere kennen.',
  email_taken: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse.',
  not_an_email: 'Erwartet wird eine E-Mail-Adresse.',
  account_not_found: 'Dieses Konto gibt es nicht.',
  not_a_customer: 'Das Unternehmen hat keinen Kunden {customer}.',
  business_not_found: 'Dieses Unternehmen gibt es nicht.',
  unknown_time_zone: '{received} ist keine Zeitzone der IANA-Datenbank.',
  not_a_currency: 'Erwartet wird ein Währungscode aus drei Buchstaben (ISO 4217).',
  own_account_kept: 'Ein Konto kann sich nicht selbst sperren.',
  account_erased: 'Die Person dieses Kontos wurde gelöscht; es kann nicht mehr geändert werden.',
  module_not_of_account: 'Das Modul {module} kann für ein Konto der Art {received} nicht geschaltet werden.',
  module_not_switchable:
    'Das Modul {module} steht durch die Plattform auf {received} und kann hier nicht geschaltet werden.',
  app_context_not_found: 'Diese App gibt es für diesen Kunden nicht.',
  app_unavailable: 'Die App ist für diesen Kunden nicht verfügbar.',
  sign_in_method_not_allowed: 'Diese Art der Anmeldung ist in dieser App nicht erlaubt.',
  app_role_not_allowed: 'Konten der Art {received} können sich in dieser App nicht anmelden.',
  client_access_not_allowed: 'Das Konto hat keinen Zugang zu diesem Kunden.',
  registration_required: 'Zu dieser Identität gibt es kein Konto. Bitte zuerst registrieren.',
  binding_conflict: 'Das Konto ist mit einer anderen Identität dieses Anbieters verbunden.',
  identity_provider_unavailable: 'Der Identitätsanbieter ist nicht erreichbar. Bitte gleich noch einmal versuchen.',
  not_a_version: 'Erwartet wird eine semantische Version, etwa 1.4.0.',
}

const es: Texts = {
  invalid_id_token: 'El token de identidad no es válido aquí.',
  invalid_credentials: 'La dirección de correo o la contraseña no es correcta.',
  wrong_password: 'La contraseña actual no es correcta.',
  password_too_short: 'Una contraseña necesita al menos 10 caracteres.',
  password_too_common:
    'Esta contraseña es demasiado común: se adivinaría pronto. Use varias palabras sin relación entre sí.',
  password_names_owner:
    'Esta contraseña se compone del nombre, la dirección o la empresa de la cuenta, que otros conocen.',
  email_taken: 'Ya existe una cuenta con esta dirección de correo.',
  not_an_email: 'Se esperaba una dirección de correo electrónico.',
  account_not_found: 'No existe esa cuenta.',
  not_a_customer: 'La empresa no tiene el cliente {customer}.',
  business_not_found: 'No existe esa empresa.',
  unknown_time_zone: '{received} no es una zona horaria de la base IANA.',
  not_a_currency: 'Se esperaba un código de moneda de tres letras (ISO 4217).',
  own_account_kept: 'Una cuenta no puede desactivarse a sí misma.',
  account_erased: 'La persona de esta cuenta se borró; la cuenta ya no se puede modificar.',
  module_not_of_account: 'El módulo {module} no se puede cambiar para una cuenta de tipo {received}.',
  module_not_switchable: 'La plataforma ha puesto el módulo {module} en {received} y no se puede cambiar aquí.',
  app_context_not_found: 'No existe esa aplicación para este cliente.',
  app_unavailable: 'La aplicación no está disponible para este cliente.',
  sign_in_method_not_allowed: 'Esta forma de iniciar sesión no está permitida en esta aplicación.',
  app_role_not_allowed: 'Las cuentas de tipo {received} no pueden iniciar sesión en esta aplicación.',
  client_access_not_allowed: 'La cuenta no tiene acceso a este cliente.',
  registration_required: 'No hay ninguna cuenta para esta identidad. Regístrese primero.',
  binding_conflict: 'La cuenta está vinculada a otra identidad de este proveedor.',
  identity_provider_unavailable:
    'No se puede contactar con el proveedor de identidad. Vuelva a intentarlo en un momento.',
  not_a_version: 'Se esperaba una versión semántica, como 1.4.0.',
}

const zhHans: Texts = {
  invalid_id_token: '此处无法接受该身份令牌。',
  invalid_credentials: '电子邮箱或密码不正确。',
  wrong_password: '当前密码不正确。',
  password_too_short: '密码至少需要 10 个字符。',
  password_too_common: '该密码太常见，很快就会被猜到。请使用几个互不相关的词。',
  password_names_owner: '该密码由账户的姓名、邮箱或企业名称组成，他人知道这些信息。',
  email_taken: '该电子邮箱已有账户。',
  not_an_email: '应为电子邮箱地址。',
  account_not_found: '没有这个账户。',
  not_a_customer: '该企业没有客户 {customer}。',
  business_not_found: '没有这个企业。',
  unknown_time_zone: '{received} 不是 IANA 数据库中的时区。',
  not_a_currency: '应为三个字母的货币代码（ISO 4217）。',
  own_account_kept: '账户不能停用自己。',
  account_erased: '该账户的个人资料已被删除，账户无法再更改。',
  module_not_of_account: '不能为 {received} 类型的账户切换模块 {module}。',
  module_not_switchable: '平台已将模块 {module} 设为 {received}，无法在此切换。',
  app_context_not_found: '该客户没有这个应用。',
  app_unavailable: '该客户暂时无法使用此应用。',
  sign_in_method_not_allowed: '此应用不允许这种登录方式。',
  app_role_not_allowed: '{received} 类型的账户不能登录此应用。',
  client_access_not_allowed: '该账户无权访问此客户。',
  registration_required: '该身份还没有账户，请先注册。',
  binding_conflict: '该账户已绑定此提供方的另一个身份。',
  identity_provider_unavailable: '无法连接身份提供方，请稍后重试。',
  not_a_version: '应为语义化版本，例如 1.4.0。',
}

const zhHant: Texts = {
  invalid_id_token: '此處無法接受該身分權杖。',
  invalid_credentials: '電子郵件或密碼不正確。',
  wrong_password: '目前的密碼不正確。',
  password_too_short: '密碼至少需要 10 個字元。',
  password_too_common: '此密碼太常見，很快就會被猜到。請使用幾個互不相關的詞。',
  password_names_owner: '此密碼由帳戶的姓名、電子郵件或企業名稱組成，他人知道這些資訊。',
  email_taken: '此電子郵件已有帳戶。',
  not_an_email: '應為電子郵件地址。',
  account_not_found: '沒有這個帳戶。',
  not_a_customer: '該企業沒有客戶 {customer}。',
  business_not_found: '沒有這個企業。',
  unknown_time_zone: '{received} 不是 IANA 資料庫中的時區。',
  not_a_currency: '應為三個字母的貨幣代碼（ISO 4217）。',
  own_account_kept: '帳戶不能停用自己。',
  account_erased: '該帳戶的個人資料已被刪除，帳戶無法再更改。',
  module_not_of_account: '不能為 {received} 類型的帳戶切換模組 {module}。',
  module_not_switchable: '平台已將模組 {module} 設為 {received}，無法在此切換。',
  app_context_not_found: '該客戶沒有這個應用程式。',
  app_unavailable: '該客戶暫時無法使用此應用程式。',
  sign_in_method_not_allowed: '此應用程式不允許這種登入方式。',
  app_role_not_allowed: '{received} 類型的帳戶不能登入此應用程式。',
  client_access_not_allowed: '該帳戶無權存取此客戶。',
  registration_required: '該身分還沒有帳戶，請先註冊。',
  binding_conflict: '該帳戶已綁定此提供者的另一個身分。',
  identity_provider_unavailable: '無法連線身分提供者，請稍後重試。',
  not_a_version: '應為語意化版本，例如 1.4.0。',
}

/** Businesses, accounts and sign-in. */
export const accountMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
