import type { Language } from '../../../kernel/catalogue.ts'

interface Text {
  readonly subject: string
  readonly text: string
}

const en = {
  password: {
    subject: 'Set a new password',
    text: 'Somebody, probably you, has asked for a new password for this address.\n\nSet it here within 30 minutes:\n{link}\n\nIf it was not you, there is nothing to do: your password stays as it is.',
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'The password of your account was changed at {time}, from {source}. All sessions have ended.\n\nIf it was not you, set another one at once and tell your administrator:\n{link}',
  },
  email_from: {
    subject: 'Change your email address?',
    text: 'Somebody who is signed in to your account wants its email address to be {email}.\n\nIf that is right, confirm it here within an hour; the new address is then asked, too:\n{link}\n\nIf it was not you, change your password.',
  },
  email_to: {
    subject: 'Confirm your email address',
    text: 'This is to be the email address of an account.\n\nConfirm it here within an hour; you then sign in with it:\n{link}\n\nIf you know nothing of this, there is nothing to do.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    text: 'The email address of your account was changed to {email} at {time}. This address no longer signs in. If it was not you, tell your administrator.',
  },
  invitation: {
    subject: 'You are invited: {business}',
    text: '{business} has opened an account for you, {name}.\n\nSet your password here within 7 days:\n{link}\n\nIf you know nothing of this, there is nothing to do.',
  },
  invitation_elsewhere: {
    subject: 'You are invited: {business}',
    text: '{business} has opened an account for you, {name}. But this address already has an account elsewhere on this server, and an address has only one. {business} is not told.\n\nTo accept, give {business} another address of yours. Or change the address of your present account, and ask to be invited again:\n{link}\n\nIf you know nothing of this, there is nothing to do.',
  },
  code: {
    subject: '{code} is your code for {app}',
    text: 'Your code for {app} is {code}. It is valid for 10 minutes. Tell it to nobody.\n\nIf you know nothing of this, there is nothing to do.',
  },
  taken: {
    subject: 'You already have an account',
    text: 'Somebody, probably you, wanted an account with this address. There is one already: sign in with it, or set a new password here:\n{link}\n\nIf it was not you, there is nothing to do.',
  },
  approved: { subject: 'Your account is open', text: '{business} has approved your account. You can sign in now.' },
} as const satisfies Readonly<Record<string, Text>>

type Texts = Readonly<Record<keyof typeof en, Text>>

const fr: Texts = {
  password: {
    subject: 'Choisissez un nouveau mot de passe',
    text: 'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour cette adresse.\n\nChoisissez-le ici dans les 30 minutes :\n{link}\n\nSi ce n’était pas vous, il n’y a rien à faire : votre mot de passe reste le même.',
  },
  password_changed: {
    subject: 'Votre mot de passe a été changé',
    text: 'Le mot de passe de votre compte a été changé à {time}, depuis {source}. Toutes les sessions sont terminées.\n\nSi ce n’était pas vous, choisissez-en aussitôt un autre et prévenez votre administrateur :\n{link}',
  },
  email_from: {
    subject: 'Changer votre adresse e-mail ?',
    text: 'Quelqu’un qui est connecté à votre compte veut que son adresse e-mail soit {email}.\n\nSi c’est exact, confirmez-le ici dans l’heure ; la nouvelle adresse sera ensuite interrogée aussi :\n{link}\n\nSi ce n’était pas vous, changez votre mot de passe.',
  },
  email_to: {
    subject: 'Confirmez votre adresse e-mail',
    text: 'Cette adresse doit devenir l’adresse e-mail d’un compte.\n\nConfirmez-la ici dans l’heure ; vous vous connecterez ensuite avec elle :\n{link}\n\nSi cela ne vous dit rien, il n’y a rien à faire.',
  },
  email_changed: {
    subject: 'Votre adresse e-mail a été changée',
    text: 'L’adresse e-mail de votre compte est devenue {email} à {time}. La présente adresse ne permet plus de se connecter. Si ce n’était pas vous, prévenez votre administrateur.',
  },
  invitation: {
    subject: 'Vous êtes invité : {business}',
    text: '{business} a ouvert un compte pour vous, {name}.\n\nChoisissez votre mot de passe ici dans les 7 jours :\n{link}\n\nSi cela ne vous dit rien, il n’y a rien à faire.',
  },
  invitation_elsewhere: {
    subject: 'Vous êtes invité : {business}',
    text: '{business} a ouvert un compte pour vous, {name}. Mais cette adresse a déjà un compte ailleurs sur ce serveur, et une adresse n’en a qu’un. {business} n’en est pas informé.\n\nPour accepter, indiquez à {business} une autre adresse. Ou changez l’adresse de votre compte actuel, puis demandez une nouvelle invitation :\n{link}\n\nSi cela ne vous dit rien, il n’y a rien à faire.',
  },
  code: {
    subject: '{code} est votre code pour {app}',
    text: 'Votre code pour {app} est {code}. Il est valable 10 minutes. Ne le communiquez à personne.\n\nSi cela ne vous dit rien, il n’y a rien à faire.',
  },
  taken: {
    subject: 'Vous avez déjà un compte',
    text: 'Quelqu’un, sans doute vous, voulait un compte avec cette adresse. Il en existe déjà un : connectez-vous, ou choisissez un nouveau mot de passe ici :\n{link}\n\nSi ce n’était pas vous, il n’y a rien à faire.',
  },
  approved: {
    subject: 'Votre compte est ouvert',
    text: '{business} a approuvé votre compte. Vous pouvez maintenant vous connecter.',
  },
}

const de: Texts = {
  password: {
    subject: 'Neues Passwort setzen',
    text: 'Jemand, wahrscheinlich Sie, hat für diese Adresse ein neues Passwort angefordert.\n\nSetzen Sie es hier innerhalb von 30 Minuten:\n{link}\n\nWenn Sie es nicht waren, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.',
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    text: 'Das Passwort Ihres Kontos wurde um {time} von {source} aus geändert. Alle Sitzungen sind beendet.\n\nWenn Sie es nicht waren, setzen Sie sofort ein anderes und benachrichtigen Sie Ihren Administrator:\n{link}',
  },
  email_from: {
    subject: 'E-Mail-Adresse ändern?',
    text: 'Jemand, der bei Ihrem Konto angemeldet ist, möchte, dass dessen E-Mail-Adresse {email} wird.\n\nWenn das stimmt, bestätigen Sie es hier innerhalb einer Stunde; danach wird auch die neue Adresse gefragt:\n{link}\n\nWenn Sie es nicht waren, ändern Sie Ihr Passwort.',
  },
  email_to: {
    subject: 'E-Mail-Adresse bestätigen',
    text: 'Das soll die E-Mail-Adresse eines Kontos werden.\n\nBestätigen Sie sie hier innerhalb einer Stunde; danach melden Sie sich mit ihr an:\n{link}\n\nWenn Ihnen das nichts sagt, ist nichts zu tun.',
  },
  email_changed: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text: 'Die E-Mail-Adresse Ihres Kontos wurde um {time} in {email} geändert. Mit dieser Adresse kann sich niemand mehr anmelden. Wenn Sie es nicht waren, benachrichtigen Sie Ihren Administrator.',
  },
  invitation: {
    subject: 'Sie sind eingeladen: {business}',
    text: '{business} hat ein Konto für Sie eröffnet, {name}.\n\nSetzen Sie hier innerhalb von 7 Tagen Ihr Passwort:\n{link}\n\nWenn Ihnen das nichts sagt, ist nichts zu tun.',
  },
  invitation_elsewhere: {
    subject: 'Sie sind eingeladen: {business}',
    text: '{business} hat ein Konto für Sie eröffnet, {name}. Diese Adresse hat aber schon anderswo auf diesem Server ein Konto, und eine Adresse hat nur eines. {business} erfährt das nicht.\n\nWenn Sie annehmen wollen, nennen Sie {business} eine andere Adresse. Oder ändern Sie die Adresse Ihres jetzigen Kontos, und lassen Sie sich noch einmal einladen:\n{link}\n\nWenn Ihnen das nichts sagt, ist nichts zu tun.',
  },
  code: {
    subject: '{code} ist Ihr Code für {app}',
    text: 'Ihr Code für {app} ist {code}. Er gilt 10 Minuten. Sagen Sie ihn niemandem.\n\nWenn Ihnen das nichts sagt, ist nichts zu tun.',
  },
  taken: {
    subject: 'Sie haben schon ein Konto',
    text: 'Jemand, wahrscheinlich Sie, wollte ein Konto mit dieser Adresse. Es gibt schon eines: Melden Sie sich an, oder setzen Sie hier ein neues Passwort:\n{link}\n\nWenn Sie es nicht waren, ist nichts zu tun.',
  },
  approved: {
    subject: 'Ihr Konto ist freigeschaltet',
    text: '{business} hat Ihr Konto freigeschaltet. Sie können sich jetzt anmelden.',
  },
}

const es: Texts = {
  password: {
    subject: 'Elija una contraseña nueva',
    text: 'Alguien, probablemente usted, ha pedido una contraseña nueva para esta dirección.\n\nElíjala aquí antes de 30 minutos:\n{link}\n\nSi no fue usted, no tiene que hacer nada: su contraseña sigue igual.',
  },
  password_changed: {
    subject: 'Su contraseña se ha cambiado',
    text: 'La contraseña de su cuenta se cambió a las {time}, desde {source}. Todas las sesiones han terminado.\n\nSi no fue usted, elija otra enseguida y avise a su administrador:\n{link}',
  },
  email_from: {
    subject: '¿Cambiar su dirección de correo?',
    text: 'Alguien que ha iniciado sesión en su cuenta quiere que su dirección de correo sea {email}.\n\nSi es correcto, confírmelo aquí antes de una hora; después se preguntará también a la dirección nueva:\n{link}\n\nSi no fue usted, cambie su contraseña.',
  },
  email_to: {
    subject: 'Confirme su dirección de correo',
    text: 'Esta va a ser la dirección de correo de una cuenta.\n\nConfírmela aquí antes de una hora; después iniciará sesión con ella:\n{link}\n\nSi no sabe nada de esto, no tiene que hacer nada.',
  },
  email_changed: {
    subject: 'Su dirección de correo se ha cambiado',
    text: 'La dirección de correo de su cuenta se cambió a {email} a las {time}. Con esta dirección ya no se inicia sesión. Si no fue usted, avise a su administrador.',
  },
  invitation: {
    subject: 'Tiene una invitación: {business}',
    text: '{business} ha abierto una cuenta para usted, {name}.\n\nElija su contraseña aquí antes de 7 días:\n{link}\n\nSi no sabe nada de esto, no tiene que hacer nada.',
  },
  invitation_elsewhere: {
    subject: 'Tiene una invitación: {business}',
    text: '{business} ha abierto una cuenta para usted, {name}. Pero esta dirección ya tiene una cuenta en otro lugar de este servidor, y una dirección solo tiene una. {business} no lo sabe.\n\nPara aceptar, dé a {business} otra dirección suya. O cambie la dirección de su cuenta actual y pida otra invitación:\n{link}\n\nSi no sabe nada de esto, no tiene que hacer nada.',
  },
  code: {
    subject: '{code} es su código para {app}',
    text: 'Su código para {app} es {code}. Es válido durante 10 minutos. No se lo diga a nadie.\n\nSi no sabe nada de esto, no tiene que hacer nada.',
  },
  taken: {
    subject: 'Ya tiene una cuenta',
    text: 'Alguien, probablemente usted, quería una cuenta con esta dirección. Ya existe una: inicie sesión, o elija una contraseña nueva aquí:\n{link}\n\nSi no fue usted, no tiene que hacer nada.',
  },
  approved: { subject: 'Su cuenta está abierta', text: '{business} ha aprobado su cuenta. Ya puede iniciar sesión.' },
}

const zhHans: Texts = {
  password: {
    subject: '设置新密码',
    text: '有人（可能是您）为此邮箱申请了新密码。\n\n请在 30 分钟内在此设置：\n{link}\n\n如果不是您，无需任何操作，您的密码不变。',
  },
  password_changed: {
    subject: '您的密码已更改',
    text: '您的账户密码于 {time} 从 {source} 更改，所有会话均已结束。\n\n如果不是您，请立即重新设置并告知管理员：\n{link}',
  },
  email_from: {
    subject: '更改您的电子邮箱？',
    text: '有人登录了您的账户，希望将其电子邮箱改为 {email}。\n\n如果属实，请在一小时内在此确认；之后还会向新邮箱确认：\n{link}\n\n如果不是您，请更改密码。',
  },
  email_to: {
    subject: '确认您的电子邮箱',
    text: '此邮箱将成为某个账户的电子邮箱。\n\n请在一小时内在此确认，之后您将用它登录：\n{link}\n\n如果您对此不知情，无需任何操作。',
  },
  email_changed: {
    subject: '您的电子邮箱已更改',
    text: '您账户的电子邮箱已于 {time} 改为 {email}，此邮箱不能再登录。如果不是您，请告知管理员。',
  },
  invitation: {
    subject: '邀请您加入：{business}',
    text: '{business} 为您（{name}）开设了账户。\n\n请在 7 天内在此设置密码：\n{link}\n\n如果您对此不知情，无需任何操作。',
  },
  invitation_elsewhere: {
    subject: '邀请您加入：{business}',
    text: '{business} 为您（{name}）开设了账户。但此邮箱在本服务器的其他地方已有账户，而一个邮箱只能有一个账户。{business} 不会得知此事。\n\n如要接受邀请，请向 {business} 提供您的另一个邮箱；或更改现有账户的邮箱，然后请对方再次邀请您：\n{link}\n\n如果您对此不知情，无需任何操作。',
  },
  code: {
    subject: '{code} 是您的 {app} 验证码',
    text: '您的 {app} 验证码是 {code}，10 分钟内有效。请勿告诉他人。\n\n如果您对此不知情，无需任何操作。',
  },
  taken: {
    subject: '您已有账户',
    text: '有人（可能是您）想用此邮箱注册账户。账户已经存在：请直接登录，或在此设置新密码：\n{link}\n\n如果不是您，无需任何操作。',
  },
  approved: { subject: '您的账户已开通', text: '{business} 已批准您的账户，您现在可以登录。' },
}

const zhHant: Texts = {
  password: {
    subject: '設定新密碼',
    text: '有人（可能是您）為此電子郵件申請了新密碼。\n\n請在 30 分鐘內在此設定：\n{link}\n\n如果不是您，無須任何操作，您的密碼不變。',
  },
  password_changed: {
    subject: '您的密碼已變更',
    text: '您的帳戶密碼於 {time} 從 {source} 變更，所有工作階段均已結束。\n\n如果不是您，請立即重新設定並告知管理員：\n{link}',
  },
  email_from: {
    subject: '變更您的電子郵件？',
    text: '有人登入了您的帳戶，希望將其電子郵件改為 {email}。\n\n如果屬實，請在一小時內在此確認；之後也會向新的電子郵件確認：\n{link}\n\n如果不是您，請變更密碼。',
  },
  email_to: {
    subject: '確認您的電子郵件',
    text: '此電子郵件將成為某個帳戶的電子郵件。\n\n請在一小時內在此確認，之後您將用它登入：\n{link}\n\n如果您對此不知情，無須任何操作。',
  },
  email_changed: {
    subject: '您的電子郵件已變更',
    text: '您帳戶的電子郵件已於 {time} 改為 {email}，此電子郵件不能再登入。如果不是您，請告知管理員。',
  },
  invitation: {
    subject: '邀請您加入：{business}',
    text: '{business} 為您（{name}）開設了帳戶。\n\n請在 7 天內在此設定密碼：\n{link}\n\n如果您對此不知情，無須任何操作。',
  },
  invitation_elsewhere: {
    subject: '邀請您加入：{business}',
    text: '{business} 為您（{name}）開設了帳戶。但此電子郵件在本伺服器的其他地方已有帳戶，而一個電子郵件只能有一個帳戶。{business} 不會得知此事。\n\n如要接受邀請，請向 {business} 提供您的另一個電子郵件；或變更現有帳戶的電子郵件，然後請對方再次邀請您：\n{link}\n\n如果您對此不知情，無須任何操作。',
  },
  code: {
    subject: '{code} 是您的 {app} 驗證碼',
    text: '您的 {app} 驗證碼是 {code}，10 分鐘內有效。請勿告訴他人。\n\n如果您對此不知情，無須任何操作。',
  },
  taken: {
    subject: '您已有帳戶',
    text: '有人（可能是您）想用此電子郵件註冊帳戶。帳戶已經存在：請直接登入，或在此設定新密碼：\n{link}\n\n如果不是您，無須任何操作。',
  },
  approved: { subject: '您的帳戶已開通', text: '{business} 已核准您的帳戶，您現在可以登入。' },
}

/** The e-mails that people get, by language; `{name}` is a placeholder. */
export const mailTexts: Readonly<Record<Language, Texts>> = { en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
