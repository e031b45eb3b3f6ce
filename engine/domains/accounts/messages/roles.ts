import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  staff_role_not_found: 'The business has no staff role {staff_role}.',
  staff_role_name_taken: 'Another staff role of the business is named {received}.',
  staff_role_in_use:
    'The staff role {role} cannot be deleted while accounts have it ({count}). Give them another one first.',
  staff_role_not_for: 'Only a client_employee can have a staff role, and this is a {received}.',
  too_many_staff_roles: 'The business has {limit} staff roles. Delete those that nobody needs.',
  preset_or_scopes: 'Give either a preset or scopes.',
}

/** A code of staff roles. */
export type StaffRoleCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<StaffRoleCode, 'accounts'> {}
}

const kinds: Readonly<Partial<Record<StaffRoleCode, Kind>>> = {
  staff_role_not_found: 'not_found',
  staff_role_name_taken: 'conflict',
  staff_role_in_use: 'conflict',
  too_many_staff_roles: 'conflict',
}

type Texts = Readonly<Record<StaffRoleCode, string>>

const fr: Texts = {
  staff_role_not_found: 'L’entreprise n’a pas de rôle {staff_role}.',
  staff_role_name_taken: 'Un autre rôle de l’entreprise s’appelle déjà {received}.',
  staff_role_in_use:
    'Le rôle {role} ne peut pas être supprimé tant que des comptes l’ont ({count}). Donnez-leur d’abord un autre rôle.',
  staff_role_not_for: 'Seul un compte client_employee peut avoir un rôle ; celui-ci est un compte {received}.',
  too_many_staff_roles: 'L’entreprise a {limit} rôles. Supprimez ceux qui ne servent plus.',
  preset_or_scopes: 'Indiquez soit un modèle (preset), soit des portées (scopes).',
}

const de: Texts = {
  staff_role_not_found: 'Das Unternehmen hat keine Rolle {staff_role}.',
  staff_role_name_taken: 'Eine andere Rolle des Unternehmens heißt schon {received}.',
  staff_role_in_use:
    'Die Rolle {role} kann nicht gelöscht werden, solange Konten sie haben ({count}). Geben Sie ihnen zuerst eine andere.',
  staff_role_not_for: 'Nur ein client_employee kann eine Rolle haben; dies ist ein Konto der Art {received}.',
  too_many_staff_roles: 'Das Unternehmen hat {limit} Rollen. Löschen Sie die, die niemand braucht.',
  preset_or_scopes: 'Geben Sie entweder eine Vorlage (preset) oder Berechtigungen (scopes) an.',
}

const es: Texts = {
  staff_role_not_found: 'La empresa no tiene el rol {staff_role}.',
  staff_role_name_taken: 'Otro rol de la empresa ya se llama {received}.',
  staff_role_in_use:
    'No se puede eliminar el rol {role} mientras haya cuentas que lo tengan ({count}). Deles primero otro rol.',
  staff_role_not_for: 'Solo una cuenta client_employee puede tener un rol, y esta es {received}.',
  too_many_staff_roles: 'La empresa tiene {limit} roles. Elimine los que nadie necesite.',
  preset_or_scopes: 'Indique una plantilla (preset) o permisos (scopes), no ambos.',
}

const zhHans: Texts = {
  staff_role_not_found: '该企业没有角色 {staff_role}。',
  staff_role_name_taken: '该企业的另一个角色已名为 {received}。',
  staff_role_in_use: '无法删除角色 {role}：有 {count} 个账户正在使用它。请先为它们换一个角色。',
  staff_role_not_for: '只有 client_employee 账户才能有角色，而此账户是 {received}。',
  too_many_staff_roles: '该企业有 {limit} 个角色。请删除不再需要的角色。',
  preset_or_scopes: '请提供预设（preset）或权限（scopes）其中之一。',
}

const zhHant: Texts = {
  staff_role_not_found: '該企業沒有角色 {staff_role}。',
  staff_role_name_taken: '該企業的另一個角色已名為 {received}。',
  staff_role_in_use: '無法刪除角色 {role}：有 {count} 個帳戶正在使用它。請先為它們換一個角色。',
  staff_role_not_for: '只有 client_employee 帳戶才能有角色，而此帳戶是 {received}。',
  too_many_staff_roles: '該企業有 {limit} 個角色。請刪除不再需要的角色。',
  preset_or_scopes: '請提供預設（preset）或權限（scopes）其中之一。',
}

/** Staff roles. */
export const staffRoleMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
