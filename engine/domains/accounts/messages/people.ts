import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  session_not_found: 'There is no such open session of your account.',
  issuer_not_https: 'The address of an identity provider must begin with https://, unless it is on this machine.',
  link_not_valid: 'This link has been used or is no longer valid. Ask for a new one.',
  mail_not_set_up: 'This server sends no e-mails, so this is not possible here.',
  email_unchanged: 'This is the email address of the account already.',
  account_not_invited: 'Account {account} has no invitation that is open.',
  registration_closed: 'Nobody can register in this app for this client.',
  wrong_code: 'The code is wrong or no longer valid.',
  not_a_phone_number: 'Expected a phone number with its country code, such as +14165550100.',
  phone_required: 'A phone number is needed to register in this app for this client.',
}

/** A code of sessions, links by e-mail, invitations and registration. */
export type PeopleCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<PeopleCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<PeopleCode, Kind>>> = {
  session_not_found: 'not_found',
  link_not_valid: 'gone',
  mail_not_set_up: 'conflict',
  email_unchanged: 'conflict',
  account_not_invited: 'conflict',
  registration_closed: 'forbidden',
  wrong_code: 'invalid',
  phone_required: 'invalid',
}

type Texts = Readonly<Record<PeopleCode, string>>

const fr: Texts = {
  session_not_found: 'Votre compte n’a pas de session ouverte de ce nom.',
  issuer_not_https: 'L’adresse d’un fournisseur d’identité doit être en https, sauf s’il est sur cette machine.',
  link_not_valid: 'Ce lien a déjà servi ou n’est plus valable. Demandez-en un nouveau.',
  mail_not_set_up: 'Ce serveur n’envoie pas d’e-mails : ce n’est donc pas possible ici.',
  email_unchanged: 'C’est déjà l’adresse e-mail du compte.',
  account_not_invited: 'Le compte {account} n’a pas d’invitation en attente.',
  registration_closed: 'Personne ne peut s’inscrire dans cette application pour ce client.',
  wrong_code: 'Le code est erroné ou n’est plus valable.',
  not_a_phone_number: 'Un numéro de téléphone avec l’indicatif du pays est attendu, comme +14165550100.',
  phone_required: 'Un numéro de téléphone est nécessaire pour s’inscrire dans cette application pour ce client.',
}

const de: Texts = {
  session_not_found: 'Ihr Konto hat keine solche offene Sitzung.',
  issuer_not_https:
    'Die Adresse eines Identitätsanbieters muss mit https:// beginnen, außer er läuft auf diesem Rechner.',
  link_not_valid: 'Dieser Link wurde schon benutzt oder gilt nicht mehr. Fordern Sie einen neuen an.',
  mail_not_set_up: 'Dieser Server verschickt keine E-Mails, deshalb ist das hier nicht möglich.',
  email_unchanged: 'Das ist schon die E-Mail-Adresse des Kontos.',
  account_not_invited: 'Das Konto {account} hat keine offene Einladung.',
  registration_closed: 'In dieser App kann sich für diesen Kunden niemand registrieren.',
  wrong_code: 'Der Code ist falsch oder gilt nicht mehr.',
  not_a_phone_number: 'Erwartet wird eine Telefonnummer mit Ländervorwahl, etwa +14165550100.',
  phone_required: 'Für die Registrierung in dieser App bei diesem Kunden ist eine Telefonnummer nötig.',
}

const es: Texts = {
  session_not_found: 'Su cuenta no tiene ninguna sesión abierta así.',
  issuer_not_https:
    'La dirección de un proveedor de identidad debe empezar por https://, salvo que esté en esta máquina.',
  link_not_valid: 'Este enlace ya se usó o ya no es válido. Pida uno nuevo.',
  mail_not_set_up: 'Este servidor no envía correos, así que aquí no es posible.',
  email_unchanged: 'Esa ya es la dirección de correo de la cuenta.',
  account_not_invited: 'La cuenta {account} no tiene ninguna invitación abierta.',
  registration_closed: 'Nadie puede registrarse en esta aplicación para este cliente.',
  wrong_code: 'El código es incorrecto o ya no es válido.',
  not_a_phone_number: 'Se esperaba un número de teléfono con prefijo de país, como +14165550100.',
  phone_required: 'Para registrarse en esta aplicación para este cliente hace falta un número de teléfono.',
}

const zhHans: Texts = {
  session_not_found: '您的账户没有这个有效的会话。',
  issuer_not_https: '身份提供方的地址必须以 https:// 开头，除非它在本机上。',
  link_not_valid: '此链接已被使用或已失效。请重新申请。',
  mail_not_set_up: '此服务器不发送电子邮件，因此无法在此进行此操作。',
  email_unchanged: '该账户已使用此电子邮箱。',
  account_not_invited: '账户 {account} 没有待接受的邀请。',
  registration_closed: '此应用不允许为该客户注册。',
  wrong_code: '验证码错误或已失效。',
  not_a_phone_number: '应为带国家代码的电话号码，例如 +14165550100。',
  phone_required: '在此应用中为该客户注册需要电话号码。',
}

const zhHant: Texts = {
  session_not_found: '您的帳戶沒有這個有效的工作階段。',
  issuer_not_https: '身分提供者的位址必須以 https:// 開頭，除非它在本機上。',
  link_not_valid: '此連結已被使用或已失效。請重新申請。',
  mail_not_set_up: '此伺服器不寄送電子郵件，因此無法在此進行此操作。',
  email_unchanged: '該帳戶已使用此電子郵件。',
  account_not_invited: '帳戶 {account} 沒有待接受的邀請。',
  registration_closed: '此應用程式不允許為該客戶註冊。',
  wrong_code: '驗證碼錯誤或已失效。',
  not_a_phone_number: '應為含國碼的電話號碼，例如 +14165550100。',
  phone_required: '在此應用程式中為該客戶註冊需要電話號碼。',
}

/** Sessions, links by e-mail, invitations and registration. */
export const peopleMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
