import type { Catalogue, Kind } from '../../../kernel/catalogue.ts'

const en = {
  second_factor_required: 'The password is right. Go on with your second factor.',
  second_factor_setup_required:
    'Your business asks for a second factor, and your account has none. Set one up by signing in at {url}.',
  sign_in_again: 'For this, your sign-in must be at most 15 minutes old. Sign in again.',
  ticket_not_valid: 'This step is over or has run out. Begin again.',
  factor_not_found: 'Your account has no such second factor.',
  second_factor_needed: 'Your business asks for a second factor. Add another before you remove this one.',
  own_factors_kept: 'Remove your own second factors on the page of your account.',
  passkeys_unavailable: 'This server cannot check passkeys.',
  passkey_not_valid: 'The answer for this passkey is not right.',
  passkey_exists: 'Your account has this passkey already.',
  too_many_passkeys: 'An account can have {limit} passkeys.',
}

/** A code of second factors. */
export type FactorCode = keyof typeof en

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<FactorCode, 'accounts'> {}
}

const kinds: Readonly<Record<FactorCode, Kind>> = {
  second_factor_required: 'unauthenticated',
  second_factor_setup_required: 'forbidden',
  sign_in_again: 'forbidden',
  ticket_not_valid: 'gone',
  factor_not_found: 'not_found',
  second_factor_needed: 'conflict',
  own_factors_kept: 'conflict',
  passkeys_unavailable: 'conflict',
  passkey_not_valid: 'invalid',
  passkey_exists: 'conflict',
  too_many_passkeys: 'conflict',
}

type Texts = Readonly<Record<FactorCode, string>>

const fr: Texts = {
  second_factor_required: 'Le mot de passe est correct. Continuez avec votre second facteur.',
  second_factor_setup_required:
    'Votre entreprise demande un second facteur, et votre compte n’en a pas. Configurez-en un en vous connectant sur {url}.',
  sign_in_again: 'Pour cela, votre connexion doit dater de 15 minutes au plus. Reconnectez-vous.',
  ticket_not_valid: 'Cette étape est terminée ou a expiré. Recommencez.',
  factor_not_found: 'Votre compte n’a pas ce second facteur.',
  second_factor_needed: 'Votre entreprise demande un second facteur. Ajoutez-en un autre avant de retirer celui-ci.',
  own_factors_kept: 'Retirez vos propres seconds facteurs sur la page de votre compte.',
  passkeys_unavailable: 'Ce serveur ne peut pas vérifier les clés d’accès.',
  passkey_not_valid: 'La réponse pour cette clé d’accès n’est pas correcte.',
  passkey_exists: 'Votre compte a déjà cette clé d’accès.',
  too_many_passkeys: 'Un compte peut avoir {limit} clés d’accès.',
}

const de: Texts = {
  second_factor_required: 'Das Passwort stimmt. Weiter geht es mit Ihrem zweiten Faktor.',
  second_factor_setup_required:
    'Ihr Unternehmen verlangt einen zweiten Faktor, und Ihr Konto hat keinen. Richten Sie ihn bei der Anmeldung auf {url} ein.',
  sign_in_again: 'Dafür darf Ihre Anmeldung höchstens 15 Minuten alt sein. Melden Sie sich erneut an.',
  ticket_not_valid: 'Dieser Schritt ist abgeschlossen oder abgelaufen. Beginnen Sie von vorn.',
  factor_not_found: 'Ihr Konto hat keinen solchen zweiten Faktor.',
  second_factor_needed:
    'Ihr Unternehmen verlangt einen zweiten Faktor. Fügen Sie einen anderen hinzu, bevor Sie diesen entfernen.',
  own_factors_kept: 'Ihre eigenen zweiten Faktoren entfernen Sie auf der Seite Ihres Kontos.',
  passkeys_unavailable: 'Dieser Server kann keine Passkeys prüfen.',
  passkey_not_valid: 'Die Antwort zu diesem Passkey stimmt nicht.',
  passkey_exists: 'Ihr Konto hat diesen Passkey schon.',
  too_many_passkeys: 'Ein Konto kann {limit} Passkeys haben.',
}

const es: Texts = {
  second_factor_required: 'La contraseña es correcta. Continúe con su segundo factor.',
  second_factor_setup_required:
    'Su empresa pide un segundo factor y su cuenta no tiene ninguno. Configúrelo al iniciar sesión en {url}.',
  sign_in_again: 'Para esto, su inicio de sesión debe tener como máximo 15 minutos. Inicie sesión de nuevo.',
  ticket_not_valid: 'Este paso ha terminado o ha caducado. Empiece de nuevo.',
  factor_not_found: 'Su cuenta no tiene ese segundo factor.',
  second_factor_needed: 'Su empresa pide un segundo factor. Añada otro antes de quitar este.',
  own_factors_kept: 'Quite sus propios segundos factores en la página de su cuenta.',
  passkeys_unavailable: 'Este servidor no puede comprobar llaves de acceso.',
  passkey_not_valid: 'La respuesta de esta llave de acceso no es correcta.',
  passkey_exists: 'Su cuenta ya tiene esta llave de acceso.',
  too_many_passkeys: 'Una cuenta puede tener {limit} llaves de acceso.',
}

const zhHans: Texts = {
  second_factor_required: '密码正确。请继续进行第二重验证。',
  second_factor_setup_required: '您的企业要求第二重验证，而您的账户尚未设置。请在 {url} 登录并设置。',
  sign_in_again: '此操作要求您在 15 分钟内登录过。请重新登录。',
  ticket_not_valid: '此步骤已结束或已过期。请重新开始。',
  factor_not_found: '您的账户没有这个第二重验证方式。',
  second_factor_needed: '您的企业要求第二重验证。请先添加另一种方式，再移除此方式。',
  own_factors_kept: '请在您的账户页面上移除自己的第二重验证方式。',
  passkeys_unavailable: '此服务器无法验证通行密钥。',
  passkey_not_valid: '此通行密钥的应答不正确。',
  passkey_exists: '您的账户已有这个通行密钥。',
  too_many_passkeys: '一个账户最多可以有 {limit} 个通行密钥。',
}

const zhHant: Texts = {
  second_factor_required: '密碼正確。請繼續進行第二重驗證。',
  second_factor_setup_required: '您的企業要求第二重驗證，而您的帳戶尚未設定。請在 {url} 登入並設定。',
  sign_in_again: '此操作要求您在 15 分鐘內登入過。請重新登入。',
  ticket_not_valid: '此步驟已結束或已過期。請重新開始。',
  factor_not_found: '您的帳戶沒有這個第二重驗證方式。',
  second_factor_needed: '您的企業要求第二重驗證。請先新增另一種方式，再移除此方式。',
  own_factors_kept: '請在您的帳戶頁面上移除自己的第二重驗證方式。',
  passkeys_unavailable: '此伺服器無法驗證通行金鑰。',
  passkey_not_valid: '此通行金鑰的回應不正確。',
  passkey_exists: '您的帳戶已有這個通行金鑰。',
  too_many_passkeys: '一個帳戶最多可以有 {limit} 個通行金鑰。',
}

/** Second factors. */
export const factorMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
