import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  sign_on_not_found: 'There is no single sign-on here.',
  sign_on_not_valid: 'This sign-in has run out, or was begun in another browser. Begin again.',
  sign_on_address_refused:
    'The identity provider has not confirmed an email address in a domain that the business has proved.',
  sign_on_without_account: 'There is no account here for this person. Ask an administrator for one.',
  sign_on_required: 'Staff of this business signs in with {name}, at {url}.',
  sign_on_not_tried: 'Sign in with {issuer} once before you require it, so that it is known to work.',
  email_outside_sign_on:
    'Staff of this business signs in with {name}: the address has to be in a domain that the business has proved.',
  logout_token_not_valid:
    'The logout token is not one of the identity provider for this client, has run out, or was used before.',
  client_secret_missing: 'The secret of the client is missing.',
  not_an_email_domain: 'Expected a domain in small letters, such as acme.example.',
  email_domain_taken: 'Another business has proved the domain {domain}.',
  email_domain_not_found: 'The business has not claimed the domain {domain}.',
  email_domain_not_proved: 'The DNS has no TXT record {name} with {value}. It can take an hour to be seen everywhere.',
  too_many_email_domains: 'The business has {limit} domains. Give back those that nobody needs.',
}

/** A code of single sign-on. */
export type SignOnCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<SignOnCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<SignOnCode, Kind>>> = {
  sign_on_not_found: 'not_found',
  sign_on_not_valid: 'gone',
  sign_on_address_refused: 'forbidden',
  sign_on_without_account: 'forbidden',
  sign_on_required: 'forbidden',
  sign_on_not_tried: 'conflict',
  email_outside_sign_on: 'forbidden',
  logout_token_not_valid: 'bad_request',
  email_domain_taken: 'conflict',
  email_domain_not_found: 'not_found',
  email_domain_not_proved: 'conflict',
  too_many_email_domains: 'conflict',
}

type Texts = Readonly<Record<SignOnCode, string>>

const fr: Texts = {
  sign_on_not_found: 'Il n’y a pas d’authentification unique ici.',
  sign_on_not_valid: 'Cette connexion a expiré ou a été commencée dans un autre navigateur. Recommencez.',
  sign_on_address_refused:
    'Le fournisseur d’identité n’a pas confirmé d’adresse e-mail dans un domaine vérifié de l’entreprise.',
  sign_on_without_account: 'Cette personne n’a pas de compte ici. Demandez-en un à un administrateur.',
  sign_on_required: 'Le personnel de cette entreprise se connecte avec {name}, sur {url}.',
  sign_on_not_tried: 'Connectez-vous une fois avec {issuer} avant de l’imposer, pour être sûr que cela marche.',
  email_outside_sign_on:
    'Le personnel de cette entreprise se connecte avec {name} : l’adresse doit être dans un domaine vérifié de l’entreprise.',
  logout_token_not_valid:
    'Le jeton de déconnexion n’est pas du fournisseur d’identité pour ce client, a expiré ou a déjà servi.',
  client_secret_missing: 'Le secret du client manque.',
  not_an_email_domain: 'Un domaine en minuscules est attendu, comme acme.example.',
  email_domain_taken: 'Le domaine {domain} est vérifié pour une autre entreprise.',
  email_domain_not_found: 'L’entreprise n’a pas revendiqué le domaine {domain}.',
  email_domain_not_proved:
    'Le DNS n’a pas d’enregistrement TXT {name} avec {value}. Il peut mettre une heure à être visible partout.',
  too_many_email_domains: 'L’entreprise a {limit} domaines. Rendez ceux qui ne servent plus.',
}

const de: Texts = {
  sign_on_not_found: 'Hier gibt es kein Single Sign-on.',
  sign_on_not_valid: 'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Beginnen Sie neu.',
  sign_on_address_refused:
    'Der Identitätsanbieter hat keine E-Mail-Adresse in einer Domain bestätigt, die das Unternehmen nachgewiesen hat.',
  sign_on_without_account: 'Für diese Person gibt es hier kein Konto. Bitten Sie einen Administrator darum.',
  sign_on_required: 'Das Personal dieses Unternehmens meldet sich mit {name} an: {url}.',
  sign_on_not_tried:
    'Melden Sie sich einmal mit {issuer} an, bevor Sie es vorschreiben, damit sicher ist, dass es geht.',
  email_outside_sign_on:
    'Das Personal dieses Unternehmens meldet sich mit {name} an: Die Adresse muss in einer Domain sein, die das Unternehmen nachgewiesen hat.',
  logout_token_not_valid:
    'Das Abmelde-Token ist nicht vom Identitätsanbieter für diesen Client, ist abgelaufen oder wurde schon verwendet.',
  client_secret_missing: 'Das Geheimnis des Clients fehlt.',
  not_an_email_domain: 'Erwartet wird eine Domain in Kleinbuchstaben, etwa acme.example.',
  email_domain_taken: 'Ein anderes Unternehmen hat die Domain {domain} nachgewiesen.',
  email_domain_not_found: 'Das Unternehmen hat die Domain {domain} nicht beansprucht.',
  email_domain_not_proved:
    'Im DNS gibt es keinen TXT-Eintrag {name} mit {value}. Es kann eine Stunde dauern, bis er überall zu sehen ist.',
  too_many_email_domains: 'Das Unternehmen hat {limit} Domains. Geben Sie die zurück, die niemand braucht.',
}

const es: Texts = {
  sign_on_not_found: 'Aquí no hay inicio de sesión único.',
  sign_on_not_valid: 'Este inicio de sesión ha caducado o se empezó en otro navegador. Empiece de nuevo.',
  sign_on_address_refused:
    'El proveedor de identidad no ha confirmado ninguna dirección de correo en un dominio verificado de la empresa.',
  sign_on_without_account: 'Esta persona no tiene cuenta aquí. Pida una a un administrador.',
  sign_on_required: 'El personal de esta empresa inicia sesión con {name}, en {url}.',
  sign_on_not_tried: 'Inicie sesión una vez con {issuer} antes de exigirlo, para que conste que funciona.',
  email_outside_sign_on:
    'El personal de esta empresa inicia sesión con {name}: la dirección debe estar en un dominio verificado de la empresa.',
  logout_token_not_valid:
    'El token de cierre de sesión no es del proveedor de identidad para este cliente, ha caducado o ya se usó.',
  client_secret_missing: 'Falta el secreto del cliente.',
  not_an_email_domain: 'Se esperaba un dominio en minúsculas, como acme.example.',
  email_domain_taken: 'El dominio {domain} está verificado para otra empresa.',
  email_domain_not_found: 'La empresa no ha reclamado el dominio {domain}.',
  email_domain_not_proved:
    'El DNS no tiene un registro TXT {name} con {value}. Puede tardar una hora en verse en todas partes.',
  too_many_email_domains: 'La empresa tiene {limit} dominios. Devuelva los que nadie necesite.',
}

const zhHans: Texts = {
  sign_on_not_found: '此处没有单点登录。',
  sign_on_not_valid: '此次登录已过期，或是在另一个浏览器中开始的。请重新开始。',
  sign_on_address_refused: '身份提供方未确认属于该企业已验证域名的电子邮箱。',
  sign_on_without_account: '此人在这里没有账户。请向管理员申请。',
  sign_on_required: '该企业的员工须使用 {name} 登录：{url}。',
  sign_on_not_tried: '在强制使用之前，请先用 {issuer} 登录一次，以确认其可用。',
  email_outside_sign_on: '该企业的员工须使用 {name} 登录：邮箱必须属于该企业已验证的域名。',
  logout_token_not_valid: '退出令牌不是身份提供方为此客户端签发的，或已过期，或已被使用过。',
  client_secret_missing: '缺少客户端密钥。',
  not_an_email_domain: '应为小写域名，例如 acme.example。',
  email_domain_taken: '另一家企业已验证域名 {domain}。',
  email_domain_not_found: '该企业未声明域名 {domain}。',
  email_domain_not_proved: 'DNS 中没有值为 {value} 的 TXT 记录 {name}。记录可能需要一小时才能全网可见。',
  too_many_email_domains: '该企业已有 {limit} 个域名。请交还不再需要的域名。',
}

const zhHant: Texts = {
  sign_on_not_found: '此處沒有單一登入。',
  sign_on_not_valid: '此次登入已過期，或是在另一個瀏覽器中開始的。請重新開始。',
  sign_on_address_refused: '身分提供者未確認屬於該企業已驗證網域的電子郵件。',
  sign_on_without_account: '此人在這裡沒有帳戶。請向管理員申請。',
  sign_on_required: '該企業的員工須使用 {name} 登入：{url}。',
  sign_on_not_tried: '在強制使用之前，請先用 {issuer} 登入一次，以確認其可用。',
  email_outside_sign_on: '該企業的員工須使用 {name} 登入：電子郵件必須屬於該企業已驗證的網域。',
  logout_token_not_valid: '登出權杖不是身分提供者為此用戶端簽發的，或已過期，或已被使用過。',
  client_secret_missing: '缺少用戶端密鑰。',
  not_an_email_domain: '應為小寫網域，例如 acme.example。',
  email_domain_taken: '另一家企業已驗證網域 {domain}。',
  email_domain_not_found: '該企業未聲明網域 {domain}。',
  email_domain_not_proved: 'DNS 中沒有值為 {value} 的 TXT 記錄 {name}。記錄可能需要一小時才能全網可見。',
  too_many_email_domains: '該企業已有 {limit} 個網域。請交還不再需要的網域。',
}

/** Single sign-on. */
export const signOnMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
