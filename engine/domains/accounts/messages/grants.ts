import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  grant_not_found: 'There is no such grant.',
  too_many_grants: 'The account lets {limit} programs act in its name. End the grants that nobody needs.',
  invalid_grant: 'The code or token is unknown, has expired, or belongs to another client.',
  grant_reused: 'The code or refresh token was used before, so the grant has ended. Ask the person again.',
  invalid_target: 'The tokens of this grant are for another address.',
  invalid_client: 'The client is unknown, or its registration has expired. Register it again.',
  invalid_client_metadata: 'The metadata of the client cannot be accepted, at {member}.',
  invalid_redirect_uri: 'A redirect URI must be https, http on the person’s own machine, or a scheme of one program.',
  wrong_resource: 'The token is for {resource} and for no other address.',
}

/** A code of grants. */
export type GrantCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<GrantCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<GrantCode, Kind>>> = {
  grant_not_found: 'not_found',
  too_many_grants: 'conflict',
  invalid_grant: 'bad_request',
  grant_reused: 'bad_request',
  invalid_target: 'bad_request',
  invalid_client: 'unauthenticated',
  invalid_client_metadata: 'bad_request',
  invalid_redirect_uri: 'bad_request',
  wrong_resource: 'unauthenticated',
}

type Texts = Readonly<Record<GrantCode, string>>

const fr: Texts = {
  grant_not_found: 'Cette autorisation n’existe pas.',
  too_many_grants: 'Le compte laisse {limit} programmes agir en son nom. Mettez fin aux autorisations inutiles.',
  invalid_grant: 'Le code ou le jeton est inconnu, a expiré ou appartient à un autre client.',
  grant_reused:
    'Le code ou le jeton de renouvellement a déjà servi : l’autorisation a pris fin. Demandez-la de nouveau à la personne.',
  invalid_target: 'Les jetons de cette autorisation valent pour une autre adresse.',
  invalid_client: 'Le client est inconnu, ou son enregistrement a expiré. Enregistrez-le de nouveau.',
  invalid_client_metadata: 'Les métadonnées du client ne peuvent pas être acceptées, à {member}.',
  invalid_redirect_uri:
    'Une adresse de redirection doit être en https, en http sur la machine de la personne, ou d’un schéma propre à un programme.',
  wrong_resource: 'Le jeton vaut pour {resource} et pour aucune autre adresse.',
}

const de: Texts = {
  grant_not_found: 'Diese Freigabe gibt es nicht.',
  too_many_grants:
    'Das Konto lässt {limit} Programme für sich handeln. Beenden Sie die Freigaben, die niemand braucht.',
  invalid_grant: 'Der Code oder das Token ist unbekannt, abgelaufen oder gehört einem anderen Client.',
  grant_reused:
    'Der Code oder das Refresh-Token wurde schon benutzt, deshalb ist die Freigabe beendet. Fragen Sie die Person erneut.',
  invalid_target: 'Die Tokens dieser Freigabe gelten für eine andere Adresse.',
  invalid_client: 'Der Client ist unbekannt, oder seine Registrierung ist abgelaufen. Registrieren Sie ihn erneut.',
  invalid_client_metadata: 'Die Metadaten des Clients können nicht angenommen werden, bei {member}.',
  invalid_redirect_uri:
    'Eine Weiterleitungsadresse muss https sein, http auf dem Rechner der Person, oder ein Schema, das einem Programm gehört.',
  wrong_resource: 'Das Token gilt für {resource} und für keine andere Adresse.',
}

const es: Texts = {
  grant_not_found: 'No existe esa autorización.',
  too_many_grants:
    'La cuenta deja que {limit} programas actúen en su nombre. Termine las autorizaciones que nadie necesite.',
  invalid_grant: 'El código o el token es desconocido, ha caducado o es de otro cliente.',
  grant_reused:
    'El código o el token de renovación ya se usó, así que la autorización ha terminado. Pregunte de nuevo a la persona.',
  invalid_target: 'Los tokens de esta autorización son para otra dirección.',
  invalid_client: 'El cliente es desconocido o su registro ha caducado. Regístrelo de nuevo.',
  invalid_client_metadata: 'Los metadatos del cliente no se pueden aceptar, en {member}.',
  invalid_redirect_uri:
    'Una dirección de redirección debe ser https, http en el equipo de la persona, o de un esquema propio de un programa.',
  wrong_resource: 'El token es para {resource} y para ninguna otra dirección.',
}

const zhHans: Texts = {
  grant_not_found: '没有此授权。',
  too_many_grants: '该账户已允许 {limit} 个程序代其操作。请结束不再需要的授权。',
  invalid_grant: '该代码或令牌未知、已过期，或属于其他客户端。',
  grant_reused: '该代码或刷新令牌已被使用过，因此授权已结束。请重新征求本人同意。',
  invalid_target: '此授权的令牌用于其他地址。',
  invalid_client: '客户端未知，或其注册已过期。请重新注册。',
  invalid_client_metadata: '无法接受客户端的元数据，位置：{member}。',
  invalid_redirect_uri: '重定向地址必须是 https、本人设备上的 http，或某个程序专有的协议。',
  wrong_resource: '该令牌仅用于 {resource}，不能用于其他地址。',
}

const zhHant: Texts = {
  grant_not_found: '沒有此授權。',
  too_many_grants: '該帳戶已允許 {limit} 個程式代其操作。請結束不再需要的授權。',
  invalid_grant: '該代碼或權杖未知、已過期，或屬於其他用戶端。',
  grant_reused: '該代碼或更新權杖已被使用過，因此授權已結束。請重新徵求本人同意。',
  invalid_target: '此授權的權杖用於其他位址。',
  invalid_client: '用戶端未知，或其註冊已過期。請重新註冊。',
  invalid_client_metadata: '無法接受用戶端的中繼資料，位置：{member}。',
  invalid_redirect_uri: '重新導向位址必須是 https、本人裝置上的 http，或某個程式專有的協定。',
  wrong_resource: '該權杖僅用於 {resource}，不能用於其他位址。',
}

/** Grants, and the programs that ask for them. */
export const grantMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
